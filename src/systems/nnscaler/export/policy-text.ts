import type { Model } from "./model.ts";

/** Maximum length of the line SHARED; longer sets have one name per line. */
const longestLine = 120;

/** The line SHARED: names of weights with a `graph.multiref` call; empty without any. */
export function sharedLine({ tensors, shared }: Model): string {
  const names = tensors.filter(({ id }) => shared.has(id)).map(({ name }) => `"${name}"`);
  if (names.length === 0) return "";
  const what = "# weights beside which an operator is both cut and replicated";
  const line = `SHARED = {${names.join(", ")}}  ${what}\n`;
  if (line.length <= longestLine) return line;
  return `SHARED = {  ${what}\n${names.map((name) => `    ${name},\n`).join("")}}\n`;
}

/**
 * The policy, which splits every node by PLAN, and the function that passes the model to nnScaler
 * with it.
 *
 * @param folds whether sizes that forward reads from its tensors are folded to constants; otherwise
 * nnScaler gathers those tensors
 */
export const policyText = ({ shared }: Model, folds = false) => `def policy(graph, cfg):
    """Splits every operator as PLAN says, and has device after device run the pieces in order."""
    assert cfg.plan_ngpus == DEVICES
    for tensor in graph.full_tensors():
        if not (tensor.is_grad() or tensor.is_attr()) and len(graph.consumers(tensor)) > 1:
            graph.multiref(tensor)  # every reader gets an adapter of its own
${
  shared.size === 0
    ? ""
    : `        if tensor.name in SHARED and not tensor.is_grad():
            graph.multiref(tensor)  # an adapter adds up its gradient: a reducer would count copies
`
}    seen, left = defaultdict(int), set(PLAN)
    for node in graph.select(ntype=(IRFwOperation, IRDataOperation)):
        if node.name == "multiref" or isinstance(node, IRGraphAnchor):
            continue
        module = list(node.module_stack)[-1] if getattr(node, "module_stack", None) else ""
        key = module, node.name, seen[module, node.name]
        seen[module, node.name] += 1
        left.discard(key)
        pieces = [node]
        for operand, dim, count in PLAN.get(key, [(None, None, DEVICES)]):
            pieces = [piece for whole in pieces for piece in split(graph, whole, operand, dim, count)]
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)
    if left:
        raise RuntimeError(f"not found in the graph: {sorted(left)}")
    return graph


def split(graph, node, operand, dim, count):
    if operand is None:
        return graph.replicate(node, times=count)
    return graph.partition(node, node.algorithm("dim"), idx=operand, dim=dim, num=count)


def parallel(model, given, folder=".nnscaler"):
    """The model on all ranks; given: what its forward takes, by name."""
    trace = "cuda_run_cpu_offload" if torch.cuda.is_available() else "cpu"
    config = ComputeConfig(DEVICES, int(os.environ.get("WORLD_SIZE", DEVICES)), trace_strategy=trace${folds ? ", constant_folding=True" : ""})
    return nnscaler.parallelize(model, given, policy, config, gen_savedir=folder, reuse="override")
`;

/**
 * The function `verify`, which compares results and gradients with those of the unsharded model.
 */
export const verifyText = ({
  made,
  given,
}: {
  /** Expression that makes the unsharded model. */
  readonly made: string;
  /** Keyword arguments of the call; NUMBERS stands for the inputs by name. */
  readonly given: string;
}) => `def verify():
    nnscaler.init()
    torch.manual_seed(0)
    whole = ${made}  # rounding of narrower types would hide what is wrong
    given = ${given.replace("NUMBERS", "{name: number(shape, dtype) for name, (shape, dtype) in INPUTS.items()}")}
    planned = parallel(whole, given)
    whole, given = whole.cuda(), {name: x.cuda() for name, x in given.items()}
    want, got = results(whole(**given)), results(planned(**given))
    for place, (x, y) in enumerate(zip(want, got)):
        compare(f"result {place}", x, y)
    for outputs in (want, got):
        trained = [x for x in outputs if x.requires_grad]
        if trained:
            sum(x.square().sum() for x in trained).backward()
    planned.sync_grad()
    weights = [(planned.fullmap[name], weight) for name, weight in planned.named_parameters() if weight.grad is not None]
    for piece, weight in weights:
        compare(f"gradient of {piece.orig_name}", whole.get_parameter(piece.orig_name).grad[piece.slicers], weight.grad)
    if torch.distributed.get_rank() == 0:
        print(f"the plan equals the unsharded model in {len(want)} results and {len(weights)} gradients")


def number(shape, dtype):
    """What is given, in f64 where it is a number."""
    if dtype.is_floating_point:
        return torch.randint(-4, 5, shape).double()
    return torch.randint(0, 5, shape).to(dtype)


def results(given):
    return given if isinstance(given, tuple) else (given,)


def compare(name, want, got):
    far = (want.double() - got.double()).abs().max().item() if want.numel() else 0
    assert far <= TOLERANCE * max(1, want.double().abs().max().item()), f"{name} is off by {far}"
`;
