-- Which file a letter of an import is about: without that, what is wrong with the same line of two files looks like one thing.

alter table dead_letter add column file text;

comment on column dead_letter.file is
  'The name of the imported file, without its folders, and - for standard input; null for what was posted, and in letters of before.';

grant select (file) on dead_letter to pushlift_writer;

-- Finds an event of an erased device where an export of the same app has it: not by its unit, whose name was drawn.
grant select (app_id) on event to pushlift_writer;
