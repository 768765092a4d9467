/** A request that was answered, and what that used up. */
export interface Soaked {
  readonly number: number;
  readonly kind: string;
  /** The answer as the batch writes it. */
  readonly text: string;
  readonly cpuSeconds: number;
  /** How much its command may take; as usual unless said. */
  readonly limitSeconds?: number;
}

/** The memory of the process is its own from here on: code is loaded, tables are built. */
const warmUp = 2_000;

/** By how much the process may grow after that. */
const mostGrowthBytes = 512 * 2 ** 20;

/** After so many answers that were not stopped, what is held is what stays. */
const recent = 200;

/** What a request may use up, stopped or not: its limit, and what it takes to notice and to stop it. */
const usualSeconds = 1.5;
const stopSeconds = 0.5;

/** The share of requests that the deadline may stop: each is answered, but a search was cut off. */
const mostStopped = 1 / 1_000;

/** What a long run has seen: faults, stops, the most computing time, how memory grew. */
export class SoakRecord {
  answered = 0;
  private readonly residentBytes: () => number;
  private readonly kinds = new Map<string, number>();
  private readonly faults: number[] = [];
  private readonly stopped: number[] = [];
  private slowest: { readonly number: number; readonly cpuSeconds: number } | undefined;
  private firstBytes: number | undefined;
  private mostBytes = 0;
  private latest: number[] = [];

  constructor(residentBytes: () => number) {
    this.residentBytes = residentBytes;
  }

  /** Counts one answer; says what is to be looked at: a fault, or that it was stopped. */
  note({
    number,
    kind,
    text,
    cpuSeconds,
    limitSeconds = usualSeconds,
  }: Soaked): string | undefined {
    this.answered += 1;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.noteMemory();
    if (cpuSeconds > (this.slowest?.cpuSeconds ?? 0)) this.slowest = { number, cpuSeconds };
    const offence = offenceIn(text);
    const isLate = cpuSeconds > limitSeconds + stopSeconds;
    if (offence === undefined && !isLate) return undefined;
    const isFault = isLate || offence?.kind === "fault";
    (isFault ? this.faults : this.stopped).push(number);
    return `${offence?.text ?? "answered late"}, ${cpuSeconds.toFixed(2)} s`;
  }

  /** Whether nothing failed or was late, little was stopped, and memory stayed within its limit. */
  get isSound(): boolean {
    const { faults, stopped, answered } = this;
    const isAnswered = faults.length === 0 && stopped.length <= Math.ceil(answered * mostStopped);
    return isAnswered && this.growthBytes <= mostGrowthBytes;
  }

  summary(): string {
    const { answered, faults, stopped, slowest, kinds } = this;
    const kept = this.latest.length === 0 ? 0 : Math.min(...this.latest) - (this.firstBytes ?? 0);
    return [
      `${answered} answered (${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")})`,
      listed("faults", faults),
      listed("stopped at the deadline", stopped),
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

/** What is to be looked at in an answer: a fault of this program, or a request that was stopped. */
export interface Offence {
  readonly kind: "fault" | "stopped";
  readonly text: string;
}

export function offenceIn(line: string): Offence | undefined {
  const { diagnostics }: { diagnostics: readonly { code: string; message: string }[] } =
    JSON.parse(line);
  for (const { code, message } of diagnostics) {
    const text = `${code}: ${message}`;
    if (code === "cli/internal-error") return { kind: "fault", text };
    if (message.includes(" and was stopped")) return { kind: "stopped", text };
  }
  return undefined;
}

function listed(what: string, numbers: readonly number[]): string {
  return `${numbers.length} ${what}${numbers.length === 0 ? "" : `: ${numbers.join(" ")}`}`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
