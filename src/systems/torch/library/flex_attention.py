# `torch.nn.attention.flex_attention`: attention with functions of scores and of positions.
import torch
import torch.nn.functional as F
from torch.distributed import _say_not_read

class BlockMask:
    def __init__(self, mask_mod, shape):
        self.mask_mod, self.shape = mask_mod, shape
        self.seq_lengths = tuple(shape[-2:])
    def to(self, device):
        return self

def create_block_mask(mask_mod, B=None, H=None, Q_LEN=None, KV_LEN=None, device="cuda", BLOCK_SIZE=128, _compile=False):
    return BlockMask(mask_mod, (B or 1, H or 1, Q_LEN, KV_LEN))

def create_mask(mod_fn, B=None, H=None, Q_LEN=None, KV_LEN=None, device="cuda"):
    return torch.ones(B or 1, H or 1, Q_LEN, KV_LEN, dtype=torch.bool)

def noop_mask(batch, head, token_q, token_kv):
    return True

def _joined(*mask_mods):
    return noop_mask

and_masks = or_masks = _joined

def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None, **options):
    if score_mod is not None:
        _say_not_read("score_mod of flex_attention", "scores are drawn as they are")
    if block_mask is not None:
        _say_not_read("block_mask of flex_attention", "attention is drawn over all positions: blocks that it leaves out count as well")
    out = F.scaled_dot_product_attention(query, key, value, scale=scale, enable_gqa=enable_gqa)
    return (out, torch.zeros(query.shape[:-1])) if return_lse else out
