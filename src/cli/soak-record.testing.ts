/** A request that was answered, and what that used up. */
export interface Soaked {
  readonly number: number;
  readonly kind: string;
  /** The answer as the batch writes it. */
  readonly text: string;
  readonly cpuSeconds: number;
}

/** The memory of the process is its own from here on: code is loaded, tables are built. */
const warmUp = 2_000;

/** By how much the process may grow after that. */
const mostGrowthBytes = 512 * 2 ** 20;

/** After so many answers that were not stopped, what is held is what stays. */
const recent = 200;

/** Requests that may be stopped after their 1.9 s, by number, with the reason. */
const mayBeStopped: ReadonlyMap<number, string> = new Map();

/** What a long run has seen: faults, the most computing time, how memory grew. */
export class SoakRecord {
  answered = 0;
  private readonly residentBytes: () => number;
  private readonly kinds = new Map<string, number>();
  private readonly faults: number[] = [];
  private excused = 0;
  private slowest: { readonly number: number; readonly cpuSeconds: number } | undefined;
  private firstBytes: number | undefined;
  private mostBytes = 0;
  private latest: number[] = [];

  constructor(residentBytes: () => number) {
    this.residentBytes = residentBytes;
  }

  /** Counts one answer; says what is wrong with it, if anything is. */
  note({ number, kind, text, cpuSeconds }: Soaked): string | undefined {
    this.answered += 1;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.noteMemory();
    if (cpuSeconds > (this.slowest?.cpuSeconds ?? 0)) this.slowest = { number, cpuSeconds };
    const fault = faultIn(text);
    if (fault === undefined) return undefined;
    const reason = mayBeStopped.get(number);
    if (reason !== undefined) {
      this.excused += 1;
      return undefined;
    }
    this.faults.push(number);
    return `${fault}, ${cpuSeconds.toFixed(2)} s`;
  }

  /** Whether nothing was stopped or failed, and memory stayed within its limit. */
  get isSound(): boolean {
    return this.faults.length === 0 && this.growthBytes <= mostGrowthBytes;
  }

  summary(): string {
    const { answered, faults, slowest, kinds } = this;
    const kept = this.latest.length === 0 ? 0 : Math.min(...this.latest) - (this.firstBytes ?? 0);
    return [
      `${answered} answered (${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")})`,
      `${faults.length} faults${faults.length === 0 ? "" : `: ${faults.join(" ")}`}`,
      `${this.excused} stopped for a known reason`,
      `most computing time ${slowest?.cpuSeconds.toFixed(2)} s (request ${slowest?.number})`,
      `memory grew by ${inMegabytes(this.growthBytes)} at most, ${inMegabytes(kept)} of it kept`,
    ].join("; ");
  }

  private get growthBytes(): number {
    return this.firstBytes === undefined ? 0 : Math.max(0, this.mostBytes - this.firstBytes);
  }

  private noteMemory(): void {
    if (this.answered < warmUp) return;
    const bytes = this.residentBytes();
    this.firstBytes ??= bytes;
    this.mostBytes = Math.max(this.mostBytes, bytes);
    this.latest = [...this.latest.slice(1 - recent), bytes];
  }
}

/** What an answer says of a request that was stopped, or met a fault of this program. */
export function faultIn(line: string): string | undefined {
  const { diagnostics }: { diagnostics: readonly { code: string; message: string }[] } =
    JSON.parse(line);
  const bad = diagnostics.find(
    ({ code, message }) => code === "cli/internal-error" || message.includes(" and was stopped"),
  );
  return bad && `${bad.code}: ${bad.message}`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
