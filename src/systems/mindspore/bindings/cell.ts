import type { Span } from "#core/diagnostics";
import type { ModuleClasses } from "#language/document/bindings";
import { hostFunction, itemsOf, none, text } from "#language/document/bindings/values";
import {
  type Argument,
  type ClassValue,
  type Context,
  type HostFunction,
  hostClass,
  type InstanceValue,
  type Value,
} from "#language/python";
import type { FloatCells } from "./float-cells.ts";
import type { NetResults } from "./net-results.ts";

/**
 * Cell methods that set compilation or training options and do not change the graph; they return
 * the Cell.
 */
const quiet = [
  ...["set_inputs", "set_comm_fusion", "add_flags_recursive", "add_flags"],
  ...["set_grad", "set_jit_config", "set_boost", "place"],
  ...["set_broadcast_flag", "set_param_fl", "update_cell_prefix", "set_auto_parallel"],
  ...["set_parallel_input_with_inputs", "set_parameter_layout_dict", "init_parameters_data"],
  ...["check_names", "remove_redundant_parameters", "offload", "register_forward_hook"],
];

/** Attributes of every Cell, with their values before compilation. */
const states = {
  phase: { kind: "str", value: "train" },
  current_phase: { kind: "str", value: "train" },
  param_prefix: { kind: "str", value: "" },
  cls_name: { kind: "str", value: "Cell" },
  training: { kind: "bool", value: false },
  requires_grad: { kind: "bool", value: false },
} as const;

type Methods = Parameters<typeof hostClass>[1];

/** Attributes of a Cell, by name. */
type Entries = readonly (readonly [string, Value])[];

function dictOf(entries: Entries, context: Context, span: Span): Value {
  const made: Value = { kind: "dict", entries: new Map() };
  const set = context.getAttribute(made, "__setitem__", span);
  for (const [name, value] of entries)
    context.call(
      set,
      [
        { value: text(name), span },
        { value, span },
      ],
      span,
    );
  return made;
}

/** Items of a cell list, named by their numbers. */
function listedItems({ attributes }: InstanceValue): Entries {
  const items = attributes.get("_items");
  return (items && itemsOf(items))?.map((each, at) => [String(at), each] as const) ?? [];
}

/** A Cell property that lists its members as a dict, built on each read. */
function listed(
  name: string,
  held: (value: Value | undefined) => Entries,
): Extract<Value, { kind: "property" }> {
  const get = hostFunction(name, ([self], context, span) =>
    dictOf(held(self?.value), context, span),
  );
  return { kind: "property", get };
}

/** Callbacks about the Cells of a program. */
export interface CellNotes {
  /** Called with the arguments of a net that the program itself calls. */
  readonly fed: (args: readonly Argument[], context: Context, span: Span) => void;
  /** Called after each Cell call, with its result. */
  readonly called: (cell: Value, args: readonly Argument[], result: Value) => void;
  /** Called with the result of a net that the program itself calls. */
  readonly gave: (...call: Parameters<NetResults["note"]>) => void;
  /** Called with a Cell that is recomputed in the backward pass. */
  readonly recomputed: (cell: Value) => void;
  /** `cell.shard(…)`. */
  readonly sharded: (cell: Value, args: readonly Argument[], context: Context, span: Span) => Value;
  readonly isParameter: (value: Value) => boolean;
  /** Cells that run in another float type. */
  readonly floats: FloatCells;
  /** Wraps the run of a Cell. */
  readonly run: (cell: Value, args: readonly Argument[], span: Span, run: () => Value) => Value;
}

/** `nn.Cell`: a module whose call runs `construct`, with MindSpore's additional methods. */
export function cellClass(modules: ModuleClasses, notes: CellNotes): ClassValue {
  const itself = ([self]: readonly Argument[]) => self?.value ?? none;
  return hostClass(
    "Cell",
    {
      ...Object.fromEntries(quiet.map((name) => [name, itself])),
      ...states,
      recompute: ([self]) => {
        if (self !== undefined) notes.recomputed(self.value);
        return none;
      },
      ...memberMethods(modules, notes),
      __call__: callMethod(modules, notes),
      shard: ([self, ...args], context, span) =>
        self === undefined ? none : notes.sharded(self.value, args, context, span),
      get_flags: () => ({ kind: "dict", entries: new Map() }),
    },
    [modules.cell],
  );
}

/** Methods and properties about the cells and parameters that a Cell holds. */
function memberMethods(modules: ModuleClasses, notes: CellNotes): Methods {
  const heldIn = (value: Value | undefined, isWanted: (each: Value) => boolean): Entries =>
    value?.kind === "instance"
      ? [...listedItems(value), ...value.attributes].filter(([, each]) => isWanted(each))
      : [];
  const cellsIn = (value: Value | undefined) => heldIn(value, (each) => modules.isModule(each));
  const parametersIn = (value: Value | undefined) => heldIn(value, notes.isParameter);
  const below = (cell: Value): readonly Value[] => [
    cell,
    ...cellsIn(cell).flatMap(([, each]) => below(each)),
  ];
  return {
    to_float: ([self, asked], context, span) => {
      if (self === undefined) return none;
      notes.floats.set(below(self.value), asked, context, span);
      return self.value;
    },
    set_data_parallel: ([self], context, span) => {
      if (self === undefined) return none;
      const primitives = below(self.value).flatMap((cell) => heldIn(cell, isPrimitive));
      const setting = [text("strategy_gen_mode"), text("data_parallel")];
      for (const [, primitive] of primitives) {
        const add = context.getAttribute(primitive, "add_prim_attr", span);
        context.call(
          add,
          setting.map((value) => ({ value, span })),
          span,
        );
      }
      return none;
    },
    cells: ([self]) => ({ kind: "list", items: cellsIn(self?.value).map(([, cell]) => cell) }),
    name_cells: ([self], context, span) => dictOf(cellsIn(self?.value), context, span),
    cells_and_names: sameAs("named_modules"),
    _cells: listed("_cells", cellsIn),
    _params: listed("_params", parametersIn),
    get_parameters: sameAs("parameters"),
    insert_child_to_cell: ([self, name, cell], context, span) => {
      if (self && cell && name?.value.kind === "str") {
        context.setAttribute(self.value, name.value.value, cell.value, span);
      }
      return none;
    },
  };
}

function isPrimitive(value: Value): boolean {
  return value.kind === "host" && value.type.name === "Primitive";
}

/** A method that calls another method of the Cell without arguments. */
function sameAs(method: string): HostFunction["call"] {
  return ([self], context, span) =>
    self === undefined
      ? none
      : context.call(context.getAttribute(self.value, method, span), [], span);
}

/**
 * `__call__` of a Cell. The arguments and result of an outermost call (a net called by the program)
 * are noted.
 */
function callMethod(modules: ModuleClasses, notes: CellNotes): HostFunction["call"] {
  let running = 0;
  return ([self, ...args], context, span) => {
    if (!modules.isModule(self?.value)) return none;
    if (running === 0) notes.fed(args, context, span);
    running++;
    try {
      const cell = self.value;
      const run = () =>
        notes.floats.run(cell, args, context, span, (given) =>
          modules.run(cell, given, context, span),
        );
      const result = notes.run(cell, args, span, run);
      notes.called(cell, args, result);
      if (running === 1) notes.gave(cell, args, result, context, span);
      return result;
    } finally {
      running--;
    }
  };
}
