/** A product, with its number of operations. */
export interface Product {
  readonly name: string;
  readonly text: string;
  readonly work: number;
}

function product(
  name: string,
  [x, w]: readonly [readonly number[], readonly number[]],
  call: string,
  work: number,
): Product {
  const shapes = [x, w].map((shape) => `(${shape.join(", ")})`);
  const text = `mesh = Mesh(p=1)\nx = Tensor(${shapes[0]})\nw = Parameter(${shapes[1]})\ny = ${call}\n`;
  return { name, text, work };
}

/** Products other than even squares, each comparable with a square of about as many operations. */
export function otherProducts(size: number): readonly Product[] {
  const [odd, few] = [size - 1, size / 4];
  const square = [size, size] as const;
  const work = 2 * size ** 3;
  const batched = [16, few, few] as const;
  const [turned, wide] = [`einsum("ki,jk->ij", x, w)`, [size, Math.round(size * 0.49)] as const];
  return [
    product("right operand transposed", [square, square], "linear(x, w)", work),
    product("both transposed", [square, square], turned, work),
    product(`batch of 16, each ${few}`, [batched, batched], "matmul(x, w)", 32 * few ** 3),
    product(
      `odd: ${odd}`,
      [
        [odd, odd],
        [odd, odd],
      ],
      "matmul(x, w)",
      2 * odd ** 3,
    ),
    product(`${wide[1]} columns`, [square, wide], "matmul(x, w)", 2 * size ** 2 * wide[1]),
  ];
}

/** Attention with the given numbers of heads and tokens. */
export function attentionProgram(heads: number, tokens: number, width: number): string {
  const shape = `(1, ${heads}, ${tokens}, ${width})`;
  const operands = ["q", "k", "v"].map((name) => `${name} = Tensor(${shape})`);
  return ["mesh = Mesh(p=1)", ...operands, "y = attention(q, k, v, is_causal=True)", ""].join("\n");
}
