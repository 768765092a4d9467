import type { KeptText } from "#app/texts";
import type { Compiled } from "#compile";

/** A plan in a few words: its mesh and its number of operators. */
export function aboutOf({ mesh, graph }: Compiled): string {
  const axes = mesh.mesh.axes.map(({ name, size }) => `${name} ${size}`).join(" × ");
  const count = graph.operators.length;
  const operators = count === 1 ? "1 operator" : `${count} operators`;
  return axes === "" ? operators : `mesh ${axes}, ${operators}`;
}

/**
 * One line below the name of a text: its description, as far as that is known, else its first
 * words.
 */
export function lineOf({ about, source }: KeptText): string {
  if (about !== undefined) return about;
  const lines = source.slice(0, 2_000).split("\n");
  const words = lines.map((line) => line.trim()).filter((line) => line !== "");
  return words.slice(0, 2).join("; ").slice(0, 120);
}

/** The time of a text's last edit: of today the hour, else the date too. */
export function timeWords(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  const clock = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === today.toDateString()) return clock;
  const isThisYear = then.getFullYear() === today.getFullYear();
  const day = then.toLocaleDateString("en-GB", {
    ...{ day: "numeric", month: "short" },
    ...(!isThisYear && { year: "numeric" }),
  });
  return `${day}, ${clock}`;
}

/** A file name for a text. */
export function fileNameOf(name: string, source: string): string {
  const stem = name.replace(/\.(py|json|txt)$/iu, "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const isJson = /^[\s\ufeff]*\{/.test(source);
  return `${stem.replace(/^[-.]+|[-.]+$/gu, "") || "plan"}.${isJson ? "json" : "py"}`;
}
