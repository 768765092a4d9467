import type { Diagnostic, Fix } from "#core/diagnostics";
import type { CodeBlock, Page } from "#language/pages";

/** Error for a text that is a page of documentation, with a fix per code block. */
export function pageFound(source: string, { blocks, prose }: Page): Diagnostic {
  const { length } = blocks;
  const found =
    length === 0
      ? "This is prose, not a program: there is no code in it that can be opened."
      : `This is a page with ${length === 1 ? "a block" : `${length} blocks`} of code, not a program: open ${length === 1 ? "it" : "one of them"}.`;
  return {
    code: "document/page",
    severity: "error",
    message: found,
    span: prose,
    upstream: "SyntaxError",
    ...(length > 0 && { fixes: fixesOf(source, blocks) }),
  };
}

function fixesOf(source: string, blocks: readonly CodeBlock[]): readonly Fix[] {
  const whole = (text: string) => [{ from: 0, to: source.length, text }];
  const each = blocks.map(({ text, line }): Fix => {
    return { title: `Open line ${line}: ${firstLine(text)}`, edits: whole(text) };
  });
  const python = blocks.filter(({ language }) => language === "python");
  const all = python.map(({ text, line }) => `# Line ${line} of the page\n${text}`).join("\n\n");
  const together = { title: `Open all ${python.length} blocks of Python`, edits: whole(all) };
  return python.length > 1 ? [...each, together] : each;
}

const longest = 44;

/**
 * First line of a block that is neither a comment nor an import, if there is one; shortened to
 * `longest` characters.
 */
function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const isSaid = (line: string) => line !== "" && !/^(?:#|import |from )/.test(line);
  const said = lines.find(isSaid) ?? lines[0] ?? "";
  return said.length > longest ? `${said.slice(0, longest - 1)}…` : said;
}
