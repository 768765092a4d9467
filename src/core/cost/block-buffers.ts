/** A piece of memory whose time may be stretched. */
interface Stretched {
  first: number;
  last: number;
}

/** What is gathered, or reduced, for one block of a model in one pass. */
interface Unit {
  readonly pass: string;
  readonly key: string;
  readonly buffers: Stretched[];
}

/**
 * Parameters that rest split are gathered by the block of the model: together, while the block before
 * runs, and are freed behind their block; the gradients of a block are reduced together, behind it.
 * Outside of blocks each goes by itself.
 */
export class BlockBuffers {
  private readonly gathered: Unit[] = [];
  private readonly reduced: Unit[] = [];

  /** @param tensor by whose name the block is known: `layers[3]` for `layers[3].w` */
  gather(pass: string, tensor: string, buffer: Stretched): void {
    note(this.gathered, pass, tensor, buffer);
  }

  /** The gradient that a reduction reads. */
  reduce(tensor: string, buffer: Stretched): void {
    note(this.reduced, "", tensor, buffer);
  }

  /** Stretches what was noted, once it is known how long each piece is needed. */
  settle(): void {
    let [before, running]: [number | undefined, string] = [undefined, ""];
    for (const { pass, buffers } of this.gathered) {
      const first = Math.min(...buffers.map((each) => each.first));
      const last = Math.max(...buffers.map((each) => each.last));
      const ahead = pass === running ? (before ?? first) : first;
      for (const each of buffers) {
        each.first = Math.min(first, ahead);
        each.last = last;
      }
      [before, running] = [first, pass];
    }
    for (const { buffers } of this.reduced) {
      const last = Math.max(...buffers.map((each) => each.last));
      for (const each of buffers) each.last = last;
    }
  }
}

/** Adds a buffer to the last unit where that is its own, else to a new one. */
function note(units: Unit[], pass: string, tensor: string, buffer: Stretched): void {
  const block = tensor.slice(0, tensor.indexOf("]") + 1);
  if (block === "") return;
  const key = `${pass} ${block}`;
  const unit = units.at(-1);
  if (unit?.key === key) unit.buffers.push(buffer);
  else units.push({ pass, key, buffers: [buffer] });
}
