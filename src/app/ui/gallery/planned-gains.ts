/**
 * By what part of its time, in per cent, the planner's plan of an example is faster than the one
 * that its text says, on its own mesh: 0 where that is the best one. `uncut` where the planner cuts
 * nothing, `silent` where it cuts so that nothing is sent: at that size anything else takes longer.
 * Examples that the planner does not price are not there. A test works them all out again.
 */
export const plannedGains: Readonly<Record<string, number | "uncut" | "silent">> = {
  "attention-heads": "uncut",
  carry: "silent",
  "data-parallel": "uncut",
  "device-order": "silent",
  "expert-parallel": 22,
  "forbidden-axis": 0,
  fsdp: 68,
  "grouped-query": "silent",
  "jax-reshard": "silent",
  "loom-broadcast-add": 0,
  "loom-expression": 0,
  "loom-split-k": "uncut",
  "megatron-mlp": 3,
  "mesh-8x8x8": "uncut",
  "mindspore-higher-order": "uncut",
  "mindspore-interleaved": "uncut",
  "mindspore-net": "uncut",
  "mindspore-two-nodes": "uncut",
  "nnscaler-matmul": "uncut",
  "nnscaler-norm": 0,
  "nnscaler-policy": "uncut",
  "redistribution-four-nodes": "silent",
  "redistribution-two-nodes": "silent",
  "sequence-parallel": 0,
  "three-cuts": "uncut",
  "transformer-stack": "silent",
  "two-axes-one-dim": "silent",
  "two-d-weights": 32,
  "two-matmuls": "silent",
  "uneven-dim": "silent",
  "vocabulary-embedding": 45,
  "vocabulary-loss": 0,
  zero: "uncut",
};
