/** Names that a file of MindSpore uses itself, and those that every `nn.Cell` has already. */
export const reservedNames: readonly string[] = [
  ..."np ms nn ops init initializer AutoParallel Layout Parameter Tensor layout Plan net self".split(
    " ",
  ),
  ..."INPUTS SHAPES MatMulExt SiLU super print range isinstance main random".split(" "),
  ..."apply buffers cells compile compiled construct offload phase recompute shard to".split(" "),
  ..."add_flags bprop_debug cast_inputs check_names cls_name compile_cache create_time".split(" "),
  ..."get_inputs get_parameters get_scope param_prefix parameters_dict phase_cache".split(" "),
  ..."pipeline_stage run_construct set_grad set_inputs set_train state_dict training".split(" "),
];
