const base = "http://tensortapestry.org/schemas/loom/2024-01/";

/** Plan of `loomChain`: its first operation is cut, the others follow. */
export const loomChainPlan = 'mesh = Mesh(dp=2, mp=4)\nstrategy("op1", i0="dp", i1="mp")\n';

/** A LoomGraph with a chain of operations, each over windows of the previous tensor. */
export function loomChain(operations: number): string {
  const nodes = Array.from({ length: operations }, (_, at) => [
    tensorNode(at + 1),
    operationNode(at + 1),
  ]);
  return JSON.stringify({ id: idOf(9, 0), nodes: [tensorNode(0), ...nodes.flat()] }, undefined, 2);
}

/** Whole range of a tensor; each operation with three-row windows shortens it by two rows. */
function rangeOf(at: number): object {
  return { start: [0, 0], end: [1024 - 2 * Math.floor(at / 8), 64] };
}

function tensorNode(at: number): object {
  const body = { dtype: "float32", range: rangeOf(at) };
  return { id: idOf(1, at), type: `${base}node_types.jsd#/nodes/Tensor`, label: `t${at}`, body };
}

/** Every eighth operation reads windows of three rows, some of which each device must fetch. */
function operationNode(at: number): object {
  const index = rangeOf(at);
  const body = {
    kernel: "op:stencil",
    inputs: { x: [{ tensorId: idOf(1, at - 1), range: rangeOf(at - 1) }] },
    outputs: { y: [{ tensorId: idOf(1, at), range: index }] },
  };
  const signature = {
    inputs: { x: [projection(at % 8 === 0 ? 3 : 1)] },
    outputs: { y: [projection(1)] },
  };
  const tags = {
    [`${base}tag_types.jsd#/tags/IPFIndex`]: index,
    [`${base}tag_types.jsd#/tags/IPFSignature`]: signature,
  };
  const label = `op${at}`;
  return { id: idOf(2, at), type: `${base}node_types.jsd#/nodes/Operation`, label, body, tags };
}

function projection(rows: number): object {
  const matrix = [
    [1, 0],
    [0, 1],
  ];
  return { affineMap: { projection: matrix, offset: [0, 0] }, shape: [rows, 1] };
}

function idOf(kind: number, at: number): string {
  return `0000000${kind}-0000-4000-8000-${String(at).padStart(12, "0")}`;
}
