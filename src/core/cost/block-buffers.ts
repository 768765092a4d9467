/** A piece of memory whose lifetime may be stretched. */
interface Stretched {
  first: number;
  last: number;
}

/** Buffers that are gathered, or reduced, together: those of one block of the model in one pass. */
interface Unit {
  readonly pass: string;
  readonly key: string;
  readonly buffers: Stretched[];
}

/**
 * Lifetimes of gathered parameters and reduced gradients. Parameters that are split at rest are
 * gathered per block of the model: together, while the block before runs. They are freed together
 * after their block. The gradients of a block are reduced together, after it. Tensors outside of
 * blocks are handled one by one.
 */
export class BlockBuffers {
  private readonly gathered: Unit[] = [];
  private readonly reduced: Unit[] = [];

  /** @param tensor a parameter, whose name tells the block: `layers[3]` for `layers[3].w` */
  gather(pass: string, tensor: string, buffer: Stretched): void {
    note(this.gathered, pass, tensor, buffer);
  }

  /** Notes the buffer of a gradient that a reduction reads. */
  reduce(tensor: string, buffer: Stretched): void {
    note(this.reduced, "", tensor, buffer);
  }

  /** Stretches the noted buffers; to be called when the last use of each is known. */
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

/** Adds a buffer to the last unit if that is of the same block and pass, else to a new one. */
function note(units: Unit[], pass: string, tensor: string, buffer: Stretched): void {
  const block = tensor.slice(0, tensor.indexOf("]") + 1);
  if (block === "") return;
  const key = `${pass} ${block}`;
  const unit = units.at(-1);
  if (unit?.key === key) unit.buffers.push(buffer);
  else units.push({ pass, key, buffers: [buffer] });
}
