/** Operators of transformers as registered functions, whose identifiers say what may be cut. */
const operators = `import nnscaler

@nnscaler.register_op("b s h^ -> b s h^")
def norm(x): ...

@nnscaler.register_op("b s h+, h+ (n d) -> b s n d")
def project(x, w, n): ...

@nnscaler.register_op("b s (g r) d^, b t^ g d^, b t^ g d^ -> b s (g r) d^")
def attend(q, k, v, g): ...

@nnscaler.register_op("b s n+ d^, (n+ d^) h -> b s h")
def join(x, w): ...

@nnscaler.register_op("b s h+, h+ e -> b s e")
def route(x, w): ...

@nnscaler.register_op("b s h, b s e -> e b s h")
def dispatch(x, gates): ...

@nnscaler.register_op("e b s h+, e h+ f -> e b s f")
def expert(x, w): ...

@nnscaler.register_op("e+ b s h, b s e+ -> b s h")
def combine(x, gates): ...

@nnscaler.register_op("b c+ y^ x^, k c+ -> b k y^ x^")
def convolve(x, w): ...

@nnscaler.register_op("b c y^ x^ -> b c (y^ 2) (x^ 2)")
def enlarge(x): ...

@nnscaler.register_op("b c (y^ 2) (x^ 2) -> b c y^ x^")
def reduce(x): ...

def weight(*shape):
    return Parameter(shape, "bf16")

def attention(x, m, heads, groups):
    h = x.shape[2]
    n = norm(x)
    source = n if m is None else m
    q = project(n, weight(h, h), n=heads)
    k = project(source, weight(h, h // heads * groups), n=groups)
    v = project(source, weight(h, h // heads * groups), n=groups)
    return add(x, join(attend(q, k, v, g=groups), weight(h, h)))

def gated(x, f):
    h = x.shape[2]
    n = norm(x)
    u = mul(silu(matmul(n, weight(h, f))), matmul(n, weight(h, f)))
    return add(x, matmul(u, weight(f, h)))

def plain(x, f):
    h = x.shape[2]
    return add(x, matmul(gelu(matmul(norm(x), weight(h, f))), weight(f, h)))
`;

function text(mesh: string, body: string): string {
  return `${operators}\nmesh = Mesh(${mesh}, hardware="8xH100")\n${body}\n`;
}

/** A training step of GPT-3 of 175 billion parameters (Brown et al. 2020, table 2.1). */
export function gpt3Step(mesh: string, layers = 96): string {
  return text(
    mesh,
    `x = Tensor((64, 2048, 12288), "bf16")
for _ in range(${layers}):
    x = plain(attention(x, None, 96, 96), 49152)
train(x, optimizer="adam")`,
  );
}

/** A training step of Llama 3 (Grattafiori et al. 2024, table 3): 70 or 405 billion parameters. */
export function llamaStep(mesh: string, size: 70 | 405): string {
  const [layers, width, inner, heads] =
    size === 70 ? [80, 8192, 28672, 64] : [126, 16384, 53248, 128];
  return text(
    mesh,
    `x = Tensor((512, 8192, ${width}), "bf16")
for _ in range(${layers}):
    x = gated(attention(x, None, ${heads}, 8), ${inner})
train(x, optimizer="adam")`,
  );
}

/** A training step of a mixture of experts as in DeepSeek: routed experts plus a shared one. */
export function expertsStep(mesh: string): string {
  return text(
    mesh,
    `x = Tensor((128, 4096, 4096), "bf16")
for _ in range(32):
    r = attention(x, None, 32, 32)
    n = norm(r)
    gates = softmax(route(n, weight(4096, 64)), dim=-1)
    inner = gelu(expert(dispatch(n, gates), weight(64, 4096, 1536)))
    routed = combine(expert(inner, weight(64, 1536, 4096)), gates)
    x = add(gated(r, 3072), routed)
train(x, optimizer="adam")`,
  );
}

/**
 * A training step of an encoder and a decoder of 24 layers each, as in T5 with 11 billion
 * parameters.
 */
export function t5Step(mesh: string): string {
  return text(
    mesh,
    `m = Tensor((256, 512, 1024), "bf16")
x = Tensor((256, 512, 1024), "bf16")
for _ in range(24):
    m = plain(attention(m, None, 128, 128), 65536)
for _ in range(24):
    x = plain(attention(attention(x, None, 128, 128), m, 128, 128), 65536)
train(x, optimizer="adam")`,
  );
}

/**
 * A training step of a U-Net: four levels of convolutions, each joined with its counterpart on the
 * way up.
 */
export function unetStep(mesh: string): string {
  return text(
    mesh,
    `def block(x, c):
    for _ in range(4):
        x = relu(convolve(x, weight(c, x.shape[1])))
    return x

x = Tensor((256, 64, 256, 256), "bf16")
held = []
for c in [64, 128, 256, 512]:
    x = block(x, c)
    held.append(x)
    x = reduce(x)
x = block(x, 1024)
for c in [512, 256, 128, 64]:
    x = add(convolve(enlarge(x), weight(c, x.shape[1])), held.pop())
    x = block(x, c)
train(x, optimizer="adam")`,
  );
}

/**
 * Operators that each read two of the last few results, chosen at random, so that none equals
 * another.
 */
export function randomStep(mesh: string, count: number): string {
  let state = 7;
  const next = (below: number) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
  const near = (at: number) => (at < 2 ? "x" : `h${at - 1 - next(Math.min(3, at - 1))}`);
  const lines = Array.from({ length: count }, (_, at) => {
    const [one, other] = [at === 0 ? "x" : `h${at - 1}`, near(at)];
    const calls = [
      `matmul(${one}, weight(4096, 4096))`,
      `add(${one}, ${other})`,
      `gelu(${one})`,
      `softmax(${one}, dim=-1)`,
    ];
    return `h${at} = ${calls[next(calls.length)]}`;
  });
  return text(mesh, ['x = Tensor((4096, 4096), "bf16")', ...lines].join("\n"));
}
