# timm's vision transformer, by the signatures of timm 1.0: what files beside it derive from.
import torch
from torch import nn
from timm.layers import Attention, DropPath, LayerNorm, LayerScale, Mlp, PatchEmbed, calculate_drop_path_rates, get_act_layer, get_norm_layer, global_pool_nlc, trunc_normal_

class Block(nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=4.0, qkv_bias=False, qk_norm=False, scale_attn_norm=False, scale_mlp_norm=False, proj_bias=True, proj_drop=0.0, attn_drop=0.0, init_values=None, drop_path=0.0, act_layer=nn.GELU, norm_layer=LayerNorm, mlp_layer=Mlp, attn_layer=Attention, depth=0, device=None, dtype=None):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = attn_layer(dim, num_heads=num_heads, qkv_bias=qkv_bias, qk_norm=qk_norm, scale_norm=scale_attn_norm, proj_bias=proj_bias, attn_drop=attn_drop, proj_drop=proj_drop, norm_layer=norm_layer)
        self.ls1 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = mlp_layer(in_features=dim, hidden_features=int(dim * mlp_ratio), act_layer=act_layer, norm_layer=norm_layer if scale_mlp_norm else None, bias=proj_bias, drop=proj_drop)
        self.ls2 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
    def forward(self, x, attn_mask=None, is_causal=False):
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask, is_causal=is_causal)))
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))

class VisionTransformer(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, num_classes=1000, global_pool="token", embed_dim=768, depth=12, num_heads=12, mlp_ratio=4.0, qkv_bias=True, qk_norm=False, scale_attn_norm=False, scale_mlp_norm=False, proj_bias=True, init_values=None, class_token=True, pos_embed="learn", no_embed_class=False, reg_tokens=0, pre_norm=False, final_norm=True, fc_norm=None, pool_include_prefix=False, dynamic_img_size=False, dynamic_img_pad=False, drop_rate=0.0, pos_drop_rate=0.0, patch_drop_rate=0.0, proj_drop_rate=0.0, attn_drop_rate=0.0, drop_path_rate=0.0, weight_init="", fix_init=False, embed_layer=PatchEmbed, embed_norm_layer=None, norm_layer=None, act_layer=None, block_fn=Block, mlp_layer=Mlp, attn_layer=Attention, device=None, dtype=None):
        super().__init__()
        if global_pool not in ("", "avg", "avgmax", "max", "token") or dynamic_img_size or patch_drop_rate > 0:
            raise NotImplementedError("a vision transformer of timm that pools by attention, takes images of any size or drops patches")
        assert class_token or global_pool != "token"
        norm_layer, act_layer = get_norm_layer(norm_layer) or LayerNorm, get_act_layer(act_layer) or nn.GELU
        is_pooled_norm = global_pool in ("avg", "avgmax", "max") if fc_norm is None else fc_norm
        self.num_classes, self.global_pool, self.in_chans = num_classes, global_pool, in_chans
        self.num_features = self.head_hidden_size = self.embed_dim = embed_dim
        self.num_prefix_tokens, self.num_reg_tokens = (1 if class_token else 0) + reg_tokens, reg_tokens
        self.has_class_token, self.no_embed_class, self.pool_include_prefix = class_token, no_embed_class, pool_include_prefix
        self.dynamic_img_size, self.weight_init_mode, self.grad_checkpointing = False, weight_init, False
        self.patch_embed = embed_layer(img_size=img_size, patch_size=patch_size, in_chans=in_chans, embed_dim=embed_dim, bias=not pre_norm, dynamic_img_pad=dynamic_img_pad, **({} if embed_norm_layer is None else {"norm_layer": get_norm_layer(embed_norm_layer)}))
        places = self.patch_embed.num_patches + (0 if no_embed_class else self.num_prefix_tokens)
        self.cls_token = nn.Parameter(torch.empty(1, 1, embed_dim)) if class_token else None
        self.reg_token = nn.Parameter(torch.empty(1, reg_tokens, embed_dim)) if reg_tokens else None
        self.pos_embed = nn.Parameter(torch.empty(1, places, embed_dim)) if pos_embed and pos_embed != "none" else None
        self.pos_drop, self.patch_drop = nn.Dropout(pos_drop_rate), nn.Identity()
        self.norm_pre = norm_layer(embed_dim) if pre_norm else nn.Identity()
        rates = calculate_drop_path_rates(drop_path_rate, depth)
        self.blocks = nn.Sequential(*[block_fn(dim=embed_dim, num_heads=num_heads, mlp_ratio=mlp_ratio, qkv_bias=qkv_bias, qk_norm=qk_norm, scale_attn_norm=scale_attn_norm, scale_mlp_norm=scale_mlp_norm, proj_bias=proj_bias, init_values=init_values, proj_drop=proj_drop_rate, attn_drop=attn_drop_rate, drop_path=rates[i], norm_layer=norm_layer, act_layer=act_layer, mlp_layer=mlp_layer, attn_layer=attn_layer, depth=i) for i in range(depth)])
        self.norm = norm_layer(embed_dim) if final_norm and not is_pooled_norm else nn.Identity()
        self.fc_norm = norm_layer(embed_dim) if final_norm and is_pooled_norm else nn.Identity()
        self.attn_pool, self.head_drop = None, nn.Dropout(drop_rate)
        self.head = nn.Linear(embed_dim, num_classes) if num_classes > 0 else nn.Identity()
    def init_weights(self, mode="", needs_reset=True):
        return None
    def _pos_embed(self, x):
        prefix = [each.expand(x.shape[0], -1, -1) for each in (self.cls_token, self.reg_token) if each is not None]
        if self.pos_embed is None or self.no_embed_class:
            x = x if self.pos_embed is None else x + self.pos_embed
            return self.pos_drop(torch.cat(prefix + [x], dim=1) if prefix else x)
        return self.pos_drop((torch.cat(prefix + [x], dim=1) if prefix else x) + self.pos_embed)
    def forward_features(self, x, attn_mask=None, is_causal=False):
        x = self.norm_pre(self.patch_drop(self._pos_embed(self.patch_embed(x))))
        for block in self.blocks:
            x = block(x, attn_mask=attn_mask, is_causal=is_causal) if attn_mask is not None or is_causal else block(x)
        return self.norm(x)
    def pool(self, x, pool_type=None):
        return global_pool_nlc(x, self.global_pool if pool_type is None else pool_type, self.num_prefix_tokens, self.pool_include_prefix)
    def forward_head(self, x, pre_logits=False):
        x = self.head_drop(self.fc_norm(self.pool(x)))
        return x if pre_logits else self.head(x)
    def forward(self, x, attn_mask=None, is_causal=False):
        return self.forward_head(self.forward_features(x, attn_mask, is_causal))

def checkpoint_filter_fn(state_dict, model, *args, **options):
    return state_dict

# What sets the values of parameters: their shapes stand.
def init_weights_vit_timm(module, name="", needs_reset=True):
    return None

init_weights_vit_jax = init_weights_vit_moco = init_weights_vit_timm

def get_init_weights_vit(mode="jax", head_bias=0.0, needs_reset=True):
    return init_weights_vit_timm
