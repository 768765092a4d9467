/** Bytes of WebAssembly instructions (core specification, §5.4), as far as kernels need them. */
export const code = {
  get: (local: number) => [0x20, ...unsigned(local)],
  set: (local: number) => [0x21, ...unsigned(local)],
  tee: (local: number) => [0x22, ...unsigned(local)],
  i32: {
    constant: (value: number) => [0x41, ...signed(value)],
    add: [0x6a],
    sub: [0x6b],
  },
  /** A loop without a result; a branch to it begins it again. */
  loop: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0b],
  branchIf: (depth: number) => [0x0d, ...unsigned(depth)],
  v128: (numbers: "f64" | "f32" | "i32") => ({
    load: (offset: number) => vector(0x00, 4, offset),
    store: (offset: number) => vector(0x0b, 4, offset),
    loadSplat: (offset: number) =>
      numbers === "f64" ? vector(0x0a, 3, offset) : vector(0x09, 2, offset),
    add: operation(arithmetic[numbers].add),
    mul: operation(arithmetic[numbers].mul),
    /**
     * The relaxed vector instruction `a · b + c`, rounded once or twice, as the processor has it.
     */
    relaxedMadd: numbers === "i32" ? undefined : operation(numbers === "f64" ? 0x107 : 0x105),
    zero: [...operation(0x0c), ...Array.from({ length: 16 }, () => 0)],
  }),
};

const arithmetic = {
  f64: { add: 0xf0, mul: 0xf2 },
  f32: { add: 0xe4, mul: 0xe6 },
  i32: { add: 0xae, mul: 0xb5 },
} as const;

function operation(number: number): readonly number[] {
  return [0xfd, ...unsigned(number)];
}

function vector(number: number, alignment: number, offset: number): readonly number[] {
  return [...operation(number), alignment, ...unsigned(offset)];
}

/** Function of integer parameters, with integer locals, then vector locals. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly integers: number;
  readonly vectors: number;
  readonly body: readonly number[];
}

/** A module of one function that works on a given memory (`env.memory`). */
export function assemble({ name, parameters, integers, vectors, body }: WasmFunction): Uint8Array {
  const type = [0x60, ...list(Array.from({ length: parameters }, () => [0x7f])), 0x00];
  const memory = [...text("env"), ...text("memory"), 0x02, 0x00, 0x01];
  const locals = list([
    [...unsigned(integers), 0x7f],
    [...unsigned(vectors), 0x7b],
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list([type])),
    ...section(2, list([memory])),
    ...section(3, list([[0x00]])),
    ...section(7, list([[...text(name), 0x00, 0x00]])),
    ...section(10, list([sized([...locals, ...body, 0x0b])])),
  ]);
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...sized(content)];
}

function sized(content: readonly number[]): readonly number[] {
  return [...unsigned(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): readonly number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): readonly number[] {
  return sized([...name].map((letter) => letter.charCodeAt(0)));
}

/** LEB128 without a sign. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 with a sign. */
function signed(value: number): readonly number[] {
  const byte = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
  return isLast ? [byte] : [byte | 0x80, ...signed(rest)];
}
