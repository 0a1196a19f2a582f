import PayloadJSON
package import PushLint
import PushSystem
import PushText

extension LintJob {
    /// Lists the files that would be linted, as reports name them, a line each. Of a file that may be something else, the beginning is read.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func listFiles(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws -> Outcome
    {
        let inputs = try inputs(streams, reader)
        var reading = Reading(unreadable: inputs.unreadable)
        let texts = TextReader(streams, jobs: 1, margin: 0, acceptsEmpty: allowsEmpty)
        for input in inputs.found where !streams.isStopped {
            do throws(SystemError) {
                if try texts.isOther(input) {
                    reading.others += 1
                    noteOther(input, streams)
                    continue
                }
            } catch {
                reading.unreadable.append(note("\(error)", about: input, streams))
                continue
            }
            reading.records += 1
            reading.located += 1
            // A program that reads the list needs the names as they are.
            let name = results.isTerminal ? TextStyle.clean(input.name) : input.name
            try streams.append { $0.appendText(name + "\n") }
        }
        try streams.flush()
        return Outcome(isEmpty: noteIfEmpty(inputs, reading, streams), hasUnreadable: reading.hasUnreadable)
    }
}
