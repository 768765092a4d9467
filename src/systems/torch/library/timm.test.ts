import { expect, test } from "vitest";
import { readDocument } from "#systems";

const head = `import torch
from torch import nn
import timm.layers as L
x = torch.rand(2, 8, 7, 7)
t = torch.rand(2, 5, 8)
`;

function read(text: string) {
  const { diagnostics, graph, modules } = readDocument(`${head}${text}\n`);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    said: diagnostics.filter(
      ({ code, severity }) => severity !== "info" && !/^nnscaler/.test(code),
    ),
    parameters: modules.get("m"),
    shape: JSON.stringify(y?.isUnknown === true ? undefined : y?.shape),
  };
}

// Parameters and shapes: what timm 1.0.31 itself answers.
test.each`
  layer                                                                               | input                         | parameters | shape
  ${"PatchEmbed(14, 7, 3, 8)"}                                                        | ${"torch.rand(2, 3, 14, 14)"} | ${1184}    | ${"[2,4,8]"}
  ${'PatchEmbed(14, 7, 3, 8, output_fmt="NHWC")'}                                     | ${"torch.rand(2, 3, 14, 14)"} | ${1184}    | ${"[2,2,2,8]"}
  ${"Attention(8, 2, qkv_bias=True, qk_norm=True, norm_layer=nn.LayerNorm)"}          | ${"t"}                        | ${304}     | ${"[2,5,8]"}
  ${"Attention(8, 2, attn_head_dim=6, scale_norm=True, norm_layer=nn.LayerNorm)"}     | ${"t"}                        | ${416}     | ${"[2,5,8]"}
  ${"Mlp(8, 20, 6)"}                                                                  | ${"t"}                        | ${306}     | ${"[2,5,6]"}
  ${"Mlp(8, 12, use_conv=True)"}                                                      | ${"x"}                        | ${212}     | ${"[2,8,7,7]"}
  ${"GluMlp(8, 12)"}                                                                  | ${"t"}                        | ${164}     | ${"[2,5,8]"}
  ${"SwiGLUPacked(8, 12)"}                                                            | ${"t"}                        | ${164}     | ${"[2,5,8]"}
  ${"SwiGLU(8, 10, align_to=4)"}                                                      | ${"t"}                        | ${320}     | ${"[2,5,8]"}
  ${"GlobalResponseNormMlp(8, 12, use_conv=True)"}                                    | ${"x"}                        | ${236}     | ${"[2,8,7,7]"}
  ${"LayerNorm2d(8)"}                                                                 | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${"RmsNorm(8)"}                                                                     | ${"t"}                        | ${8}       | ${"[2,5,8]"}
  ${"RmsNorm2d(8)"}                                                                   | ${"x"}                        | ${8}       | ${"[2,8,7,7]"}
  ${"GroupNorm1(8)"}                                                                  | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${"LayerScale(8)"}                                                                  | ${"t"}                        | ${8}       | ${"[2,5,8]"}
  ${"DropPath(0.1)"}                                                                  | ${"t"}                        | ${0}       | ${"[2,5,8]"}
  ${"SelectAdaptivePool2d(flatten=True)"}                                             | ${"x"}                        | ${0}       | ${"[2,8]"}
  ${'SelectAdaptivePool2d(pool_type="catavgmax", flatten=True)'}                      | ${"x"}                        | ${0}       | ${"[2,16]"}
  ${'SelectAdaptivePool2d(pool_type="max")'}                                          | ${"x"}                        | ${0}       | ${"[2,8,1,1]"}
  ${'SelectAdaptivePool2d(pool_type="")'}                                             | ${"x"}                        | ${0}       | ${"[2,8,7,7]"}
  ${"ClassifierHead(8, 5)"}                                                           | ${"x"}                        | ${45}      | ${"[2,5]"}
  ${"ClassifierHead(8, 5, use_conv=True)"}                                            | ${"x"}                        | ${45}      | ${"[2,5]"}
  ${"NormMlpClassifierHead(8, 5, hidden_size=6)"}                                     | ${"x"}                        | ${105}     | ${"[2,5]"}
  ${"ConvNormAct(8, 6, 3, stride=2)"}                                                 | ${"x"}                        | ${444}     | ${"[2,6,4,4]"}
  ${"ConvNormAct(8, 6, 3, apply_norm=False, bias=True)"}                              | ${"x"}                        | ${438}     | ${"[2,6,7,7]"}
  ${"create_conv2d(8, 6, 3, stride=2)"}                                               | ${"x"}                        | ${432}     | ${"[2,6,4,4]"}
  ${"create_conv2d(8, 8, 5, depthwise=True)"}                                         | ${"x"}                        | ${200}     | ${"[2,8,7,7]"}
  ${"SqueezeExcite(8, rd_ratio=0.5)"}                                                 | ${"x"}                        | ${144}     | ${"[2,8,7,7]"}
  ${"SqueezeExcite(32)"}                                                              | ${"torch.rand(2, 32, 7, 7)"}  | ${552}     | ${"[2,32,7,7]"}
  ${"AvgPool2dSame(2, 2)"}                                                            | ${"x"}                        | ${0}       | ${"[2,8,4,4]"}
  ${"BatchNormAct2d(8)"}                                                              | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${'get_norm_layer("layernorm2d")(8)'}                                               | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${'get_act_layer("silu")()'}                                                        | ${"x"}                        | ${0}       | ${"[2,8,7,7]"}
  ${"create_classifier(8, 5)[1]"}                                                     | ${"torch.rand(2, 8)"}         | ${45}      | ${"[2,5]"}
  ${"create_aa(None)"}                                                                | ${"x"}                        | ${0}       | ${"[2,8,7,7]"}
  ${"ClNormMlpClassifierHead(8, 5)"}                                                  | ${"torch.rand(2, 7, 7, 8)"}   | ${61}      | ${"[2,5]"}
  ${'ClNormMlpClassifierHead(8, 5, hidden_size=6, pool_type="max", input_fmt="NLC")'} | ${"t"}                        | ${105}     | ${"[2,5]"}
  ${'get_norm_act_layer("layernorm2d", nn.GELU)(8)'}                                  | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${'get_norm_act_layer(nn.BatchNorm2d, "relu")(8, apply_act=False)'}                 | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${'get_norm_act_layer("groupnorm1", "relu")(8)'}                                    | ${"x"}                        | ${16}      | ${"[2,8,7,7]"}
  ${'create_norm_act_layer("layernorm", 8)'}                                          | ${"t"}                        | ${16}      | ${"[2,5,8]"}
  ${"RelPosBias((2, 3), 4)"}                                                          | ${"torch.rand(2, 4, 6, 6)"}   | ${60}      | ${"[2,4,6,6]"}
  ${'create_pool2d("max", 3, stride=2)'}                                              | ${"x"}                        | ${0}       | ${"[2,8,4,4]"}
  ${'create_pool2d("max", 2, stride=2, padding="same")'}                              | ${"x"}                        | ${0}       | ${"[2,8,4,4]"}
  ${'create_pool2d("avg", 2, stride=2, padding="same")'}                              | ${"x"}                        | ${0}       | ${"[2,8,4,4]"}
`("$layer has $parameters parameters and gives $shape", ({ layer, input, parameters, shape }) => {
  const got = read(`m = L.${layer}\ny = m(${input}) + 0`);
  expect(got).toEqual({ said: [], parameters, shape });
});

test.each`
  call                                                                                | size
  ${"len(L.calculate_drop_path_rates(0.3, [1, 2]))"}                                  | ${3}
  ${"len(L.calculate_drop_path_rates(0.3, 4))"}                                       | ${4}
  ${"len(L.calculate_drop_path_rates(0.3, [1, 2], stagewise=True))"}                  | ${2}
  ${"L.make_divisible(37, 8)"}                                                        | ${40}
  ${"L.make_divisible(0.5, 8, round_limit=0.0)"}                                      | ${8}
  ${"len(L.to_ntuple(3)(7))"}                                                         | ${3}
  ${"L.extend_tuple((1, 2), 4)[3]"}                                                   | ${2}
  ${"*L.create_rope_embed(dim=16, num_heads=2, feat_shape=(2, 3)).get_embed().shape"} | ${"6,16"}
  ${"*L.create_rope_embed(dim=16, num_heads=2).get_embed((4, 3)).shape"}              | ${"12,16"}
  ${"*L.global_pool_nlc(t, 'avgmax').shape"}                                          | ${"2,8"}
`("$call is $size", ({ call, size }) => {
  expect(read(`y = torch.zeros(${call})`).shape).toBe(`[${size}]`);
});

// A class of a model file stands beside the layers here; what timm 1.0.31 itself answers.
test.each`
  settings                                                                      | parameters | shape
  ${""}                                                                         | ${2165}    | ${"[2,5]"}
  ${'global_pool="avg", class_token=False, init_values=0.1'}                    | ${2165}    | ${"[2,5]"}
  ${"reg_tokens=2, no_embed_class=True, qk_norm=True, norm_layer=nn.LayerNorm"} | ${2189}    | ${"[2,5]"}
  ${'global_pool="max", pre_norm=True, num_classes=0, pos_embed=""'}            | ${2088}    | ${"[2,8]"}
`("a VisionTransformer with ($settings) has $parameters parameters", (row) => {
  const sizes = `img_size=14, patch_size=7, embed_dim=8, depth=1, num_heads=2${row.settings && ", "}`;
  const classes = row.settings.includes("num_classes") ? "" : ", num_classes=5";
  const text = `from timm.models.vision_transformer import VisionTransformer
m = VisionTransformer(${sizes}${row.settings}${classes})
y = m(torch.rand(2, 3, 14, 14)) + 0`;
  expect(read(text)).toEqual({ said: [], parameters: row.parameters, shape: row.shape });
});

test("what sets the values of a model's parameters beside timm's own files leaves them as they are", () => {
  const text = `from timm.models._manipulate import named_apply
from .vision_transformer import get_init_weights_vit
m = nn.Linear(8, 5)
named_apply(get_init_weights_vit("jax", head_bias=-1.0), m)
y = m(t) + 0`;
  expect(read(text)).toEqual({ said: [], parameters: 45, shape: "[2,5,5]" });
});
