import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** A small project in a folder of its own, gone when the test ends: files by path, and copies. */
export function plantedProject(
  files: Readonly<Record<string, string>>,
  copied: readonly string[] = [],
): string {
  const root = mkdtempSync(join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of copied) copyFileSync(path, join(root, path));
  return root;
}

/** Runs a tool of this project in another folder. */
export function runTool(
  name: string,
  args: readonly string[],
  root: string,
): { readonly status: number | null; readonly output: string } {
  const tool = resolve("node_modules/.bin", name);
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: root, encoding: "utf8" });
  return { status, output: stdout + stderr };
}
