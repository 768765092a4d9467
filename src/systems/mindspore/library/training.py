# Cells of `mindspore.nn` and `mindspore.parallel.nn` that train a net, and `Model`, by the signatures of 2.10.
from mindspore import nn, ops
from mindspore.ops.operations.comm_ops import _VirtualDataset
from mindspore._training import accumulates, batch_of, differentiated, gradients, is_split, not_modelled, scaled, taken, updated

def _same(grads, *others):
    return grads

class WithLossCell(nn.Cell):
    def __init__(self, backbone, loss_fn):
        super().__init__()
        self._backbone = backbone
        self._loss_fn = loss_fn
    @property
    def backbone_network(self):
        return self._backbone
    def construct(self, data, label):
        return self._loss_fn(self._backbone(data), label)

class WithEvalCell(nn.Cell):
    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__()
        self._network = network
        self._loss_fn = loss_fn
    def construct(self, data, label):
        outputs = self._network(data)
        return self._loss_fn(outputs, label), outputs, label

class ForwardValueAndGrad(nn.Cell):
    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__()
        self.network = network
        self.weights = weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param
        self.grad = ops.GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
    def construct(self, *inputs):
        given = inputs[:-1] if self.sens_param else inputs
        value = self.network(*given)
        return value, self.grad(self.network, self.weights)(*inputs)

class TrainOneStepCell(nn.Cell):
    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__()
        self.network = network
        self.optimizer = optimizer
        self.weights = getattr(optimizer, "parameters", None)
        self.sens = sens
        self.return_grad = return_grad
        self.reducer_flag = False
        self.grad_reducer = _same
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = ops.GradOperation(get_by_list=True)
    def construct(self, *inputs):
        loss = self.network(*inputs)
        differentiated(loss)
        grads = gradients(self.weights)
        updated(self.optimizer)
        return (loss, grads) if self.return_grad else loss

class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer)
        self.scale_sense = scale_sense
    def construct(self, *inputs):
        scaled()
        not_modelled("the loss scale", "the step is drawn without it, and as one that does not overflow")
        return super().construct(*inputs), False, self.scale_sense

class _TrainGradAccuStepCell(TrainOneStepCell):
    def __init__(self, network, optimizer, sens=None):
        super().__init__(network, optimizer, sens)

class PipelineCell(nn.Cell):
    def __init__(self, network, micro_size, stage_config=None, segment_config=None):
        super().__init__()
        self.network = network
        self.micro_size = micro_size
        accumulates(micro_size)
        for name, cell in network.cells_and_names():
            if name and name in (stage_config or {}):
                cell.pipeline_stage = stage_config[name]
    def construct(self, *inputs):
        return self.network(*inputs)

class GradAccumulationCell(nn.Cell):
    def __init__(self, network, micro_size):
        super().__init__()
        self.network = network
        self.micro_size = micro_size
        accumulates(micro_size)
    def construct(self, *inputs):
        return self.network(*inputs)

class MicroBatchInterleaved(nn.Cell):
    def __init__(self, network, interleave_num=2):
        super().__init__()
        self.network = network
        self.interleave_num = interleave_num
        self.strided_slice = ops.StridedSlice()
        self.add = ops.Add()
    def part(self, at, whole):
        rows, *others = whole.shape
        if rows % self.interleave_num != 0:
            raise ValueError(f"the {rows} rows of an input must be divided by {self.interleave_num} micro batches")
        size = rows // self.interleave_num
        begin, end = (size * at, *[0] * len(others)), (size * (at + 1), *others)
        step = (1,) * len(begin)
        if is_split():
            self.strided_slice.shard((step,))
        return self.strided_slice(whole, begin, end, step)
    def construct(self, *inputs):
        output = None
        for at in range(self.interleave_num):
            given = self.network(*[self.part(at, each) for each in inputs])
            output = given if output is None else self.add(output, given)
        return output

Pipeline = PipelineCell
GradAccumulation = GradAccumulationCell

class _Passing(nn.Cell):
    def __init__(self, network, *args, **options):
        super().__init__()
        self.network = network
    def construct(self, *inputs):
        return self.network(*inputs)

class _VirtualDatasetCell(nn.Cell):
    def __init__(self, backbone):
        super().__init__()
        self._backbone = backbone
        self._virtual_dataset = _VirtualDataset()
    def construct(self, *inputs):
        return self._backbone(*self._virtual_dataset(*inputs))

VirtualDatasetCellTriple = _Passing

class _BroadCastCell(nn.Cell):
    def __init__(self, params):
        super().__init__()
        self.params = params
        not_modelled("the broadcast of parameters", "what all devices are to hold alike is drawn as theirs from the start")
    def construct(self):
        return tuple(self.params)

class _Reducer(nn.Cell):
    def __init__(self, parameters, *args, **options):
        super().__init__()
    def construct(self, grads, *others):
        return grads

DistributedGradReducer = _Reducer
PipelineGradReducer = _Reducer

def _adasum(optimizer):
    not_modelled("AdaSum", "the step is drawn as that of the optimizer inside, without what AdaSum sends between devices")
    return optimizer

AdaSumByGradWrapCell = _adasum
AdaSumByDeltaWeightWrapCell = _adasum

def _first(dataset):
    for row in dataset:
        return row
    return []

class Model:
    def __init__(self, network, loss_fn=None, optimizer=None, metrics=None, eval_network=None, eval_indexes=None, amp_level="O0", boost_level="O0", **kwargs):
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._eval_network = eval_network
        self.train_network = network
        self.predict_network = network
        self.eval_network = eval_network
    def _step(self, dataset):
        rows = batch_of(dataset, 2 if self._loss_fn is not None else taken(self._network)) or _first(dataset)
        if self._loss_fn is None:
            loss = self._network(*rows)
        else:
            loss = self._loss_fn(self._network(rows[0]), rows[1])
        if self._optimizer is not None:
            differentiated(loss)
            updated(self._optimizer)
    def train(self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        self._step(train_dataset)
    def fit(self, epoch, train_dataset, valid_dataset=None, *args, **options):
        self._step(train_dataset)
    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1, sink_mode=True):
        if train_dataset is not None:
            self._step(train_dataset)
    def infer_train_layout(self, train_dataset, dataset_sink_mode=True, sink_size=-1):
        self._step(train_dataset)
        return {}
    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        return {}
    def predict(self, *predict_data, backend=None, config=None):
        return self._network(*predict_data)
    def infer_predict_layout(self, *predict_data, skip_backend_compile=False):
        self._network(*predict_data)
        return {}
