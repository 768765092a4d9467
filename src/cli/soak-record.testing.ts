/** An answered request, with the resources it used. */
export interface Soaked {
  readonly number: number;
  readonly kind: string;
  /** The answer as printed by the batch. */
  readonly text: string;
  readonly cpuSeconds: number;
  /** CPU seconds that its command may use; the usual limit when absent. */
  readonly limitSeconds?: number;
}

/**
 * Answers after which code is loaded and tables are built, so that memory growth is measured from
 * here.
 */
const warmUp = 2_000;

/** Most bytes by which the process may grow after the warm-up. */
const mostGrowthBytes = 512 * 2 ** 20;

/**
 * Number of latest memory readings, of answers that were not stopped, whose minimum counts as kept.
 */
const recent = 200;

/** CPU seconds of a request, and the additional time to notice and stop it. */
const usualSeconds = 1.5;
const stopSeconds = 0.5;

/** Largest share of requests that the deadline may stop; each is answered, but incompletely. */
const mostStopped = 1 / 1_000;

/** Record of a long run: faults, stops, the longest computing time, memory growth. */
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

  /** Counts one answer; describes it if it needs attention: a fault, or a stop. */
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

  /**
   * Whether nothing failed or was late, few requests were stopped, and memory stayed within its
   * limit.
   */
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

/** An answer that needs attention: a fault of this program, or a request that was stopped. */
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
