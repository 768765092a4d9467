import { expect, test } from "vitest";
import { compile } from "#compile";
import { printLayout } from "#core/mesh";
import { fileOf } from "../published.testing.ts";
import { readStablehlo } from "./read-stablehlo.ts";

function read(text: string) {
  const made = readStablehlo(fileOf("f.mlir", text));
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  const { program = "", notes } = made.value;
  const compiled = compile(program);
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  const layoutOf = (name: string) => {
    const tensor = compiled.graph.tensors.find((each) => each.name === name);
    const value = compiled.program.values.find((each) => each.tensor === tensor?.id);
    return value && printLayout(value.layout);
  };
  return { program, errors, layoutOf, notes: notes.map(({ message }) => message) };
}

const tiled = `module @jit_g attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %arg1: tensor<16x4xf32> {mhlo.sharding = "{replicated}"}, %arg2: tensor<4x8xf32>) -> (tensor<4x4xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
`;

test("mhlo.sharding of arguments, results and constraints is a layout on a mesh that has them all", () => {
  const { program, errors, notes, layoutOf } = read(tiled);
  expect(notes).toEqual([]);
  expect(errors).toEqual([]);
  expect(program).toContain("mesh = Mesh(axis_0=2, axis_1=4)");
  expect(layoutOf("arg0")).toBe("_,axis_1");
  expect(layoutOf("arg1")).toBe("_,_");
  expect(program).toContain('place(dot_general, layout("axis_0", "axis_1"))');
  expect(program).toContain('place(dot_general_2, layout(("axis_0", "axis_1"), "None"))');
});

test("a sharding of another kind is named", () => {
  const text = tiled.replace("{replicated}", "{maximal device=3}");
  expect(read(text).notes).toEqual(["not modelled: mhlo.sharding {maximal device=3} of arg1"]);
});

const manual = (groups: string, result: string) => `module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<4x16xf32>, %arg1: tensor<16x4xf32>) -> tensor<4x4xf32> {
    %2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"model"}, {}]>] out_shardings=[<@mesh, [${result}, {}]>] manual_axes={"data", "model"} (%arg3: tensor<2x4xf32>, %arg4: tensor<4x4xf32>) {
      %5 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<${groups}> : tensor<2x4xi64>}> ({
      ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
        %7 = stablehlo.add %arg5, %arg6 : tensor<f32>
        stablehlo.return %7 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %6 : tensor<2x4xf32>
    } : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
`;

test("what devices do by themselves lies between the layouts of the file, cut along free axes", () => {
  const { program, errors, notes, layoutOf } = read(
    manual("[[0, 1, 2, 3], [4, 5, 6, 7]]", '{"data"}'),
  );
  expect(errors).toEqual([]);
  expect(notes).toEqual([
    "operators that nothing here stands for, which are not cut: sdy.manual_computation (1)",
    "not modelled: what runs inside sdy.manual_computation: stablehlo.dot_general (1), stablehlo.all_reduce (1)",
  ]);
  expect(program).toContain("# annotation: d0 16^, 16^ 4^ -> d0 4^");
  expect(layoutOf("arg0")).toBe("data,model");
  expect(layoutOf("arg1")).toBe("model,_");
  expect(layoutOf("manual_computation_2")).toBe("data,_");
});

test.each`
  why                                   | groups                                | result
  ${"a collective goes over its axis"}  | ${"[[0, 4], [1, 5], [2, 6], [3, 7]]"} | ${'{"data"}'}
  ${"the groups are of a form unknown"} | ${"0"}                                | ${'{"data"}'}
  ${"the result is whole"}              | ${"[[0, 1, 2, 3], [4, 5, 6, 7]]"}     | ${"{}"}
`("a dim is not cut where $why", ({ groups, result }) => {
  const { program, errors } = read(manual(groups, result));
  expect(errors).toEqual([]);
  expect(program).toContain("# annotation: 4^ 16^, 16^ 4^ -> 4^ 4^");
});
