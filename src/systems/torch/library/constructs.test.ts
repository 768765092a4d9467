import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Row {
  readonly about: string;
  readonly lines: readonly string[];
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/torch/library/torch-nets.json", "utf8"),
);

// What real models are made of, and the net that holds it with PyTorch's own answer.
test.each`
  construct                   | code                                       | about
  ${"named_parameters"}       | ${".named_parameters()"}                   | ${"Modules by name, in order and in place: the API of modules"}
  ${"parameters"}             | ${".parameters(recurse=False)"}            | ${"Modules by name, in order and in place: the API of modules"}
  ${"modules"}                | ${".modules()"}                            | ${"Modules by name, in order and in place: the API of modules"}
  ${"named_modules"}          | ${".named_modules()"}                      | ${"Modules by name, in order and in place: the API of modules"}
  ${"children"}               | ${".children()"}                           | ${"Modules by name, in order and in place: the API of modules"}
  ${"apply"}                  | ${"self.apply(self._init)"}                | ${"Modules by name, in order and in place: the API of modules"}
  ${"register_buffer"}        | ${'self.register_buffer("mask"'}           | ${"Modules by name, in order and in place: the API of modules"}
  ${"register_parameter"}     | ${'self.register_parameter("scale"'}       | ${"Modules by name, in order and in place: the API of modules"}
  ${"add_module"}             | ${'self.add_module("act"'}                 | ${"Modules by name, in order and in place: the API of modules"}
  ${"ModuleDict"}             | ${"nn.ModuleDict({"}                       | ${"Modules by name, in order and in place: the API of modules"}
  ${"state_dict"}             | ${".state_dict()"}                         | ${"Modules by name, in order and in place: the API of modules"}
  ${"training"}               | ${"if net.training"}                       | ${"Modules by name, in order and in place: the API of modules"}
  ${"train and eval"}         | ${"net.eval()"}                            | ${"Modules by name, in order and in place: the API of modules"}
  ${"to of a module"}         | ${'.to("cpu").float()'}                    | ${"Modules by name, in order and in place: the API of modules"}
  ${"numel"}                  | ${"p.numel() for p in net.parameters()"}   | ${"Modules by name, in order and in place: the API of modules"}
  ${"requires_grad"}          | ${"if p.requires_grad"}                    | ${"Modules by name, in order and in place: the API of modules"}
  ${"ParameterList"}          | ${"nn.ParameterList(["}                    | ${"Parameters in lists and dicts of parameters"}
  ${"ParameterDict"}          | ${"nn.ParameterDict({"}                    | ${"Parameters in lists and dicts of parameters"}
  ${"weight tying"}           | ${"self.head.weight = self.tokens.weight"} | ${"Replaced: the head's weight is the table's"}
  ${"weight_norm"}            | ${"nn.utils.weight_norm("}                 | ${"Weights with norms of their own, and vectors of parameters"}
  ${"indices in lists"}       | ${"x[:, [-1], :]"}                         | ${"Indices of all kinds: lists, tensors, masks, new axes and dots"}
  ${"indices in tensors"}     | ${"x[torch.arange(2)[:, None], i]"}        | ${"Indices of all kinds: lists, tensors, masks, new axes and dots"}
  ${"written elements"}       | ${"b4[:, 1] = 1.0"}                        | ${"Indices of all kinds: lists, tensors, masks, new axes and dots"}
  ${"written buffers"}        | ${"] = "}                                  | ${"Places of a tensor written and read"}
  ${"// and %"}               | ${"(labels // 2) % 3"}                     | ${"Losses and scores that weigh rows by hand"}
  ${"& and ~"}                | ${"& ~(labels > 1)"}                       | ${"Losses and scores that weigh rows by hand"}
  ${"einops.rearrange"}       | ${"(h w) (p1 p2 c)"}                       | ${"Patterns of einops: rearranged, repeated, reduced"}
  ${"einops.repeat"}          | ${"repeat(x"}                              | ${"Patterns of einops: rearranged, repeated, reduced"}
  ${"einops.reduce"}          | ${"reduce(x"}                              | ${"Patterns of einops: rearranged, repeated, reduced"}
  ${"layers of einops"}       | ${"Rearrange("}                            | ${"Layers of einops among others"}
  ${"complex RoPE"}           | ${"torch.view_as_complex("}                | ${"Rotary embeddings by complex numbers"}
  ${"real RoPE"}              | ${"turned(q) * f.sin()"}                   | ${"Rotary embeddings by real numbers and by an einsum with dots"}
  ${"einsum with dots"}       | ${'"...id,...jd->...ij"'}                  | ${"Rotary embeddings by real numbers and by an einsum with dots"}
  ${"MultiheadAttention"}     | ${"nn.MultiheadAttention("}                | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"LSTM"}                   | ${"nn.LSTM("}                              | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"GRU"}                    | ${"nn.GRU("}                               | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"RNN"}                    | ${"nn.RNN("}                               | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"LSTMCell"}               | ${"nn.LSTMCell("}                          | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"GRUCell"}                | ${"nn.GRUCell("}                           | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"RNNCell"}                | ${"nn.RNNCell("}                           | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"TransformerEncoder"}     | ${"nn.TransformerEncoder("}                | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"TransformerDecoder"}     | ${"nn.TransformerDecoder("}                | ${"Layers of torch.nn: attention, transformers and recurrent layers"}
  ${"transposed convolution"} | ${"nn.ConvTranspose2d("}                   | ${"Layers of torch.nn: convolutions and products"}
  ${"checkpoint"}             | ${"checkpoint("}                           | ${"Checkpoints compute what their function does"}
  ${"with torch.device"}      | ${"torch.device("}                         | ${"Blocks of device, gradients and precision"}
  ${"with torch.no_grad"}     | ${"torch.no_grad()"}                       | ${"Blocks of device, gradients and precision"}
  ${"with torch.autocast"}    | ${"autocast("}                             | ${"Blocks of device, gradients and precision"}
  ${"if __name__ is main"}    | ${'if __name__ == "__main__":'}            | ${"What runs when a file is run itself, and types of numbers"}
`("PyTorch says of a net what is made of $construct", ({ code, about }) => {
  const row = rows.find((each) => each.about === about);
  expect(row?.lines.join("\n")).toContain(code);
});
