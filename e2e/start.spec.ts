import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "@playwright/test";

/** The address at which `npm start` serves unless it is taken. */
const usualPort = 4173;

/** Another server at the usual port; undefined if the port is taken already. */
async function takeUsualPort() {
  const other = createServer();
  const taken = new Promise<void>((resolve) => {
    other.once("error", () => resolve());
    other.listen(usualPort, "localhost", () => resolve());
  });
  await taken;
  return other;
}

/** The first line of a process' output that has an address. */
async function addressLine({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    const line = said.split("\n").find((each) => each.includes("http://"));
    if (line !== undefined) return line;
  }
  return said;
}

test("npm start beside another takes the next free port and says so; tests leave it alone", async ({
  baseURL,
}) => {
  test.setTimeout(180_000);
  expect(new URL(baseURL ?? "").port).not.toBe(String(usualPort));
  const other = await takeUsualPort();
  const started = spawn(process.execPath, ["launch.mjs", "start"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const line = await addressLine(started);
    expect(line).toContain(`port ${usualPort} is taken, so Shardboard is at http://localhost:`);
    const address = /http:\S+/.exec(line)?.[0] ?? "";
    expect(new URL(address).port).not.toBe(String(usualPort));
    expect(await (await fetch(address)).text()).toContain("<title>Shardboard</title>");
  } finally {
    const ended = once(started, "exit");
    started.kill();
    await ended;
    other.close();
  }
});
