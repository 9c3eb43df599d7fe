import HTTPServer
import Testing

@Suite struct HTTPServerTests {
  @Test func aRouteAnswers() async throws {
    let server = try TestServer()
    let response = try await server.ask(request("GET", "/hello"))
    #expect(response.status == 200)
    #expect(response.text == "hello")
    #expect(response["Content-Type"] == "text/plain")
    #expect(response["Date"] != nil)
  }

  @Test func aBodyReachesItsRoute() async throws {
    let server = try TestServer()
    let response = try await server.ask(request(body: #"{"a":1}"#))
    #expect(response.status == 200)
    #expect(response.text == #"{"a":1}"#)
  }
}
