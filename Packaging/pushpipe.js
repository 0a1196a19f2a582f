#!/usr/bin/env node
// Starts the command in the package of this platform, in place of this process where Node.js can.
const { spawn } = require("node:child_process");

const platform = `@pushpipe/${process.platform}-${process.arch}`;
let command;
try {
  command = require.resolve(`${platform}/bin/pushpipe`);
} catch {
  console.error(
    `pushpipe: the package ${platform} is not installed; install pushpipe without --no-optional, ` +
      "or build from source where there is none for this platform",
  );
  process.exit(2);
}
const words = process.argv.slice(2);
if (process.execve) process.execve(command, [command, ...words], process.env);

const child = spawn(command, words, { stdio: "inherit" });
process.on("SIGTERM", () => child.kill("SIGTERM"));
// A terminal sends these to both processes, and a second one would end the command at once.
for (const signal of ["SIGHUP", "SIGINT"]) process.on(signal, () => {});
child.on("error", (error) => {
  console.error(`pushpipe: ${command}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(status);
});
