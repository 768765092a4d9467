import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { type Tensor, tensorId } from "#core/ir";
import { writeCode } from "../../code.testing.ts";
import type { DecoderWeight, Role } from "./decoder-roles.ts";
import { weightRules } from "./weight-rules.ts";
import type { MaxTextClaims } from "./write-maxtext.ts";

const llama = readFileSync("engines/models/llama.py", "utf8");

/** A mesh, and a Llama cut by columns and rows over `tp`, with the batch sharded over `dp`. */
const tensor = `mesh = Mesh(dp=2, tp=4)
place(ids, layout("dp", None))
place(labels, layout("dp", None))
place("tok_embeddings.weight", layout("tp", None))
place("layers[*].attention.wq.weight", layout("tp", None))
place("layers[*].attention.wk.weight", layout("tp", None))
place("layers[*].attention.wv.weight", layout("tp", None))
place("layers[*].attention.wo.weight", layout(None, "tp"))
place("layers[*].feed_forward.w1.weight", layout("tp", None))
place("layers[*].feed_forward.w3.weight", layout("tp", None))
place("layers[*].feed_forward.w2.weight", layout(None, "tp"))
place("output.weight", layout("tp", None))
`;

function written(plan: string, text = llama) {
  const code = writeCode(compile(text + plan), "maxtext");
  if (!code.ok) return { reason: code.reason };
  return { text: code.files[0].text, claims: code.claims as MaxTextClaims, note: code.note };
}

test("a decoder that is cut by columns and rows has MaxText's names for it", () => {
  const { claims, text, note, reason } = written(tensor);
  expect(reason).toBeUndefined();
  expect(note).toBeUndefined();
  expect(claims?.mesh).toEqual({ data: 2, fsdp: 1, tensor: 4 });
  expect(claims?.rules).toMatchObject({
    vocab: ["tensor"],
    embed_vocab: [],
    embed: [],
    q_heads: ["tensor"],
    kv_heads: ["tensor"],
    heads: ["tensor"],
    mlp: ["tensor"],
    norm: [],
    activation_batch: ["data"],
    activation_norm_length: [],
    activation_embed: [],
    activation_kv_heads: ["tensor"],
    activation_mlp: ["tensor"],
    activation_vocab: ["tensor"],
  });
  expect(text).toContain("ici_tensor_parallelism: 4\n");
  expect(text).toContain("  ['mlp', ['tensor']],\n  ['");
});

test("parameters that rest over the batch's axis are those of fsdp, along embed: it is said", () => {
  const { claims, note } = written(tensor, llama.replace("train(loss)", "train(loss, zero=3)"));
  expect(claims?.mesh).toEqual({ data: 1, fsdp: 2, tensor: 4 });
  expect(claims?.rules).toMatchObject({ embed: ["fsdp"], embed_vocab: ["fsdp"], mlp: ["tensor"] });
  expect(note).toContain("the plan cuts dim 0 of each");
});

/** A weight of a decoder, with the axes that cut each dim given as `tp,dp _`. */
function weight(role: Role, cuts: string): DecoderWeight {
  const axes = cuts.split(" ").map((each) => (each === "_" ? [] : each.split(",")));
  const tensor: Tensor = {
    ...{ id: tensorId(role), name: role, role: "parameter", shape: axes.map(() => 16) },
    ...{ dtype: "f32", dtypeText: "f32", dimNames: axes.map(() => "?") },
    shapeStatus: "set",
  };
  return { role, isBias: false, held: { name: `layers.0.${role}.weight`, tensor, axes } };
}

test.each([
  ["cut along embed everywhere", ["tp dp", "dp tp"], ["dp"], ["tp"], false],
  ["cut along dim 0, as ZeRO does", ["tp,dp _", "dp tp"], ["dp"], ["tp"], true],
  ["whole over the batch's axis", ["tp _", "_ tp"], [], ["tp"], false],
])("weights that are %s", (_, [up = "", down = ""], embed, mlp, isSaid) => {
  const { rules, note } = weightRules([weight("up", up), weight("down", down)], ["dp"]);
  expect(Object.fromEntries(rules)).toEqual({ embed, mlp });
  expect(note !== undefined).toBe(isSaid);
});

test("weights of which only some rest over the batch's axis have no rule", () => {
  const some = [weight("up", "tp,dp _"), weight("down", "_ tp")];
  expect(() => weightRules(some, ["dp"])).toThrow("mlp, for a dim that is cut over tp and dp");
});

test.each([
  [
    "one name that would need two cuts",
    tensor.replace('wo.weight", layout(None, "tp")', 'wo.weight", layout("tp", None)'),
    "MaxText has one name, embed, for a dim",
  ],
  [
    "a mesh in another order",
    tensor.replace("dp=2, tp=4", "tp=4, dp=2"),
    "has its devices otherwise",
  ],
  [
    "an axis that does nothing",
    tensor.replace("dp=2, tp=4", "dp=2, other=2, tp=2"),
    "other cuts no weight",
  ],
])("%s is refused with its cause", (_, plan, why) => {
  expect(written(plan).reason).toContain(why);
});

test("a model that MaxText has no decoder for is refused by what is foreign in it", () => {
  const gpt = readFileSync("engines/models/gpt.py", "utf8");
  expect(written("mesh = Mesh(dp=2)\nplace(ids, layout('dp', None))\n", gpt).reason).toContain(
    "pos.weight",
  );
  const moe = readFileSync("engines/models/moe.py", "utf8");
  expect(written("mesh = Mesh(dp=2)\n", moe).reason).toContain("none of their parameters");
});
