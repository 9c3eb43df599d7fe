package import Foundation

/// Rows of a CSV file as Python's reader has them.
package func readCSV(_ bytes: [UInt8]) throws -> [[String]] {
  let data = try runPython(
    """
    import csv, io, json, sys
    text = sys.stdin.buffer.read().decode('utf-8')
    print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
    """, input: bytes)
  return try JSONDecoder().decode([[String]].self, from: data)
}

/// Runs a script that reads bytes and gives what it prints.
package func runPython(_ script: String, input bytes: [UInt8]) throws -> Data {
  let python = Process()
  python.executableURL = URL(filePath: "/usr/bin/env")
  python.arguments = ["python3", "-c", script]
  let (input, output) = (Pipe(), Pipe())
  python.standardInput = input
  python.standardOutput = output
  try python.run()
  // On a thread of its own: both pipes may be full at a time.
  let writer = Thread {
    try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try? input.fileHandleForWriting.close()
  }
  writer.start()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  python.waitUntilExit()
  return data
}
