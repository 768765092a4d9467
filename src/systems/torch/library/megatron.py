# Megatron-LM's and fairscale's parallel layers as the layers that they compute: a column-parallel
# one cuts its outputs, a row-parallel one its inputs, over the axis of tensor parallelism.
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import cut

class _Parallel(nn.Module):
    skips = False
    def __init__(self, input_size, output_size, bias=True, *args, skip_bias_add=False, **options):
        super().__init__()
        self.input_size, self.output_size, self.skip_bias_add = input_size, output_size, skip_bias_add
        self.in_features, self.out_features = input_size, output_size
        self.weight = nn.Parameter(torch.zeros(output_size, input_size))
        self.bias = nn.Parameter(torch.zeros(output_size)) if bias else None

class ColumnParallelLinear(_Parallel):
    def forward(self, input_, *args, **options):
        out = F.linear(input_, self.weight, None if self.skip_bias_add else self.bias)
        cut(out, "n")
        return (out, self.bias) if self.skip_bias_add else out

class RowParallelLinear(_Parallel):
    def forward(self, input_, *args, **options):
        out = F.linear(input_, self.weight)
        cut(out, "k")
        if self.skip_bias_add:
            return out, self.bias
        return out if self.bias is None else out + self.bias

class _ParallelEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, *args, **options):
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = nn.Parameter(torch.zeros(num_embeddings, embedding_dim))
    def forward(self, input_):
        out = F.embedding(input_, self.weight)
        cut(out, self.along)
        return out

class VocabParallelEmbedding(_ParallelEmbedding):
    along = "n"

class ParallelEmbedding(_ParallelEmbedding):
    along = "k"

def get_model_parallel_world_size():
    return 1

def get_model_parallel_rank():
    return 0

get_tensor_model_parallel_world_size = get_model_parallel_world_size
get_tensor_model_parallel_rank = get_model_parallel_rank

def model_parallel_is_initialized():
    return True

def initialize_model_parallel(*args, **options):
    return None
