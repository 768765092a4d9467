import { type Checked, failed, passed } from "#core/diagnostics";
import { meshLimit } from "#core/mesh";
import { isRecord } from "#core/records";
import { type Answer, type Arguments, badRequest, type CommandTools } from "#systems/system";
import type { MapEntry } from "../layout.ts";
import type { OperatorCall } from "../operators/call.ts";
import {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "../operators/model-operator.ts";

/** `mindspore-operator`: MindSpore's model of an operator with its strategy. */
export function operatorAnswer(args: Arguments, tools: CommandTools): Answer {
  const call = readCall(args);
  if (!call.ok) return { ok: false, diagnostics: call.diagnostics };
  const strategy = args.layouts === undefined ? readTuples(args) : readLayouts(args, tools);
  if (!strategy.ok) return { ok: false, diagnostics: strategy.diagnostics };
  const model = modelOperator(call.value, strategy.value);
  if (!model.ok) return { ok: false, diagnostics: model.diagnostics };
  return { ok: true, ...told(model.value), diagnostics: model.diagnostics };
}

/** Reports only the first of several results; the others (LayerNorm's moments) are seldom used. */
function told(model: OperatorModel) {
  const outputs = model.outputs.slice(0, 1);
  const matrix = outputs[0]?.deviceMatrix;
  return {
    device_matrix: model.deviceMatrix,
    input_maps: model.inputMaps,
    output_maps: outputs.map(({ map }) => map),
    ...(matrix && { output_matrix: matrix }),
    input_slices: model.inputSlices,
    output_slices: outputs.map(({ slice }) => slice),
    repeated: model.repeated,
    forward: model.forward,
    mirror: model.mirror.map(({ input, group }) => ({
      input,
      primitive: "_MirrorOperator",
      group,
    })),
    ...(model.offset !== undefined && { offset: model.offset }),
  };
}

function readCall(args: Arguments): Checked<OperatorCall> {
  const { op, shapes, attributes = {}, arguments: given = [], parameters = [] } = args;
  const { device_num: devices, rank = 0 } = args;
  if (typeof op !== "string") return refuse('"op" must be the name of an operator');
  if (!isLists(shapes) || shapes.flat().some((size) => size < 1)) {
    return refuse('"shapes" must be a list of lists of sizes from 1 on');
  }
  if (!isRecord(attributes)) return refuse('"attributes" must be an object');
  if (!Array.isArray(given)) return refuse('"arguments" must be a list');
  if (!isIntegers(parameters) || parameters.some((input) => shapes[input] === undefined)) {
    return refuse('"parameters" must be a list of inputs by number');
  }
  const limit = isInteger(devices) ? meshLimit([devices]) : undefined;
  if (!isInteger(devices) || devices < 1) return refuse('"device_num" must be a number of devices');
  if (limit !== undefined) return refuse(`"device_num": ${limit.message}`);
  if (!isInteger(rank) || rank < 0 || rank >= devices) {
    return refuse(`"rank" must be a whole number below ${devices}`);
  }
  return passed({ op, shapes, attributes, arguments: given, parameters, devices, rank });
}

/** Reads strategy tuples; an out_strategy has one tuple for the one result. */
function readTuples({ strategies, out_strategy: written }: Arguments): Checked<WrittenStrategy> {
  if (strategies !== undefined && !isLists(strategies)) {
    return refuse('"strategies" must be a list of lists of whole numbers');
  }
  if (written !== undefined && !isLists(written)) {
    return refuse('"out_strategy" must be a list of lists of whole numbers beside "strategies"');
  }
  if (written !== undefined && strategies === undefined) {
    return upstream("ValueError", "out_strategy needs an in_strategy");
  }
  if (written !== undefined && written.length !== 1) {
    return upstream("RuntimeError", "the out_strategy must have one tuple for the one result");
  }
  const output = written?.[0];
  return passed({
    kind: "tuples",
    ...(strategies && { inputs: strategies }),
    ...(output && { output }),
  });
}

/** Evaluates layout texts, which are Python, on a Layout with the request's matrix and names. */
function readLayouts(args: Arguments, { evaluate }: CommandTools): Checked<WrittenStrategy> {
  const { layout, layouts, out_strategy: written } = args;
  if (!isRecord(layout)) return refuse('"layout" must have device_matrix and alias_name');
  const texts: unknown[] = [...(Array.isArray(layouts) ? layouts : []), ...[written ?? []].flat()];
  if (!Array.isArray(layouts) || !texts.every((text) => typeof text === "string")) {
    return refuse('"layouts" must be a list of calls such as layout("dp", "None")');
  }
  const { device_matrix: deviceMatrix, alias_name: names } = layout;
  if (!isIntegers(deviceMatrix) || !Array.isArray(names)) {
    return refuse('"layout" must have device_matrix and alias_name');
  }
  const [matrix, aliases] = [deviceMatrix, names].map(
    (list) => `(${list.map((each) => `${JSON.stringify(each)}, `).join("")})`,
  );
  const program = `from mindspore import Layout\nlayout = Layout(${matrix}, ${aliases})\n[${texts.join(", ")}]`;
  const answer = evaluate(program);
  if (!answer.ok)
    return failed(...answer.diagnostics.map(({ span: _, fixes: __, ...rest }) => rest));
  const maps = Array.isArray(answer.value) ? answer.value.map(mapIn) : [];
  if (!maps.every((map) => map !== undefined) || maps.length !== texts.length) {
    return refuse('"layouts" must be calls such as layout("dp", "None")');
  }
  const output = written === undefined ? undefined : maps.at(-1);
  const inputs = maps.slice(0, layouts.length);
  const isInterleaved = names.includes("interleaved_parallel");
  return passed({
    kind: "layouts",
    deviceMatrix,
    inputs,
    ...(output && { output }),
    isInterleaved,
  });
}

function mapIn(dict: unknown): readonly MapEntry[] | undefined {
  if (!isRecord(dict) || !Array.isArray(dict.tensor_map)) return undefined;
  const map: unknown[] = dict.tensor_map;
  const entries = map.filter((entry): entry is MapEntry => isInteger(entry) || isIntegers(entry));
  return entries.length === map.length ? entries : undefined;
}

function isLists(value: unknown): value is readonly (readonly number[])[] {
  return Array.isArray(value) && value.every(isIntegers);
}

function isIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isInteger);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function refuse<T>(message: string): Checked<T> {
  return failed(...badRequest(message).diagnostics);
}

function upstream<T>(kind: string, message: string): Checked<T> {
  return failed({ code: "mindspore/strategy-refused", severity: "error", message, upstream: kind });
}
