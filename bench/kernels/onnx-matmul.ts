/** Wire types of protocol buffers: varint, and length-delimited bytes. */
const [varint, bytes] = [0, 2];

type Field = readonly number[];

function unsigned(value: number): Field {
  const digits: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) digits.push((rest % 0x80) | 0x80);
  return [...digits, rest];
}

function number(field: number, value: number): Field {
  return [...unsigned(field * 8 + varint), ...unsigned(value)];
}

function message(field: number, ...parts: readonly Field[]): Field {
  const content = parts.flat();
  return [...unsigned(field * 8 + bytes), ...unsigned(content.length), ...content];
}

function text(field: number, value: string): Field {
  return message(field, [...new TextEncoder().encode(value)]);
}

/** A single-precision matrix: ValueInfoProto with its name and type. */
function matrix(field: number, name: string, size: number): Field {
  const dim = message(1, number(1, size));
  const tensor = message(1, number(1, 1), message(2, dim, dim));
  return message(field, text(1, name), message(2, tensor));
}

/** An ONNX model of one MatMul of square matrices, `a · b = c` (onnx.proto, opset 13). */
export function onnxMatmul(size: number): Uint8Array {
  const node = message(1, text(1, "a"), text(1, "b"), text(2, "c"), text(4, "MatMul"));
  const ends = [matrix(11, "a", size), matrix(11, "b", size), matrix(12, "c", size)];
  const graph = message(7, node, text(2, "matmul"), ...ends);
  return Uint8Array.from([...number(1, 8), ...graph, ...message(8, number(2, 13))]);
}
