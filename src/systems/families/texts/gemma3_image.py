# Gemma 3 with images: Gemma3ForConditionalGeneration of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Gemma 3 27B with images; each name is a key of its config.json.
# In front of the S tokens of each row are those of one image, which attend as those of text do.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 262208
hidden_size = 5376
intermediate_size = 21504
num_attention_heads = 32
num_key_value_heads = 16
head_dim = 128
rms_norm_eps = 1e-06
rope_theta = 1000000.0
num_hidden_layers = 62
sliding_window = 1024
query_pre_attn_scalar = 168
rope_local_base_freq = 10000.0
mm_tokens_per_image = 256
vision_hidden_size = 1152
vision_intermediate_size = 4304
vision_num_hidden_layers = 27
vision_num_attention_heads = 16
vision_image_size = 896
vision_patch_size = 14
vision_use_head = False
tokens_per_side = int(mm_tokens_per_image ** 0.5)

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class SiglipVisionEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids",
            torch.empty(1, (vision_image_size // vision_patch_size) ** 2, dtype=torch.int64),
            persistent=False,
        )
        self.patch_embedding = nn.Conv2d(
            3, vision_hidden_size, vision_patch_size, stride=vision_patch_size, padding="valid"
        )
        self.position_embedding = nn.Embedding(
            (vision_image_size // vision_patch_size) ** 2, vision_hidden_size
        )

    def forward(self, x):
        B = x.shape[0]
        patch_embedding = self.patch_embedding(x).view(B, vision_hidden_size, (vision_image_size // vision_patch_size) ** 2).transpose(1, 2)
        return patch_embedding + self.position_embedding(self.position_ids)

class SiglipAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.v_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.q_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.out_proj = nn.Linear(vision_hidden_size, vision_hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(vision_hidden_size // vision_num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, (vision_image_size // vision_patch_size) ** 2, -1))

class SiglipMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(vision_hidden_size, vision_intermediate_size)
        self.fc2 = nn.Linear(vision_intermediate_size, vision_hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))

class Gemma3RMSNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.size = size
        self.eps = eps
        self.weight = nn.Parameter(torch.empty(size))

    def forward(self, x):
        return F.rms_norm(x, (self.size,), self.weight + 1.0, self.eps)

class Gemma3TextScaledWordEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, hidden_size))

    def forward(self, ids):
        return F.embedding(ids, self.weight) * (hidden_size ** 0.5)

class Gemma3MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x), approximate="tanh") * self.up_proj(x))

class SiglipEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer_norm1 = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        self.self_attn = SiglipAttention()
        self.layer_norm2 = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        self.mlp = SiglipMLP()

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class Gemma3MultiModalProjector(nn.Module):
    def __init__(self):
        super().__init__()
        self.mm_input_projection_weight = nn.Parameter(torch.empty(vision_hidden_size, hidden_size))
        self.mm_soft_emb_norm = Gemma3RMSNorm(size=vision_hidden_size, eps=1e-06)

    def forward(self, x):
        B = x.shape[0]
        avg_pool = F.avg_pool2d(
            x.transpose(1, 2).reshape(B, vision_hidden_size, vision_image_size // vision_patch_size, vision_image_size // vision_patch_size),
            [vision_image_size // vision_patch_size // tokens_per_side, vision_image_size // vision_patch_size // tokens_per_side],
            [vision_image_size // vision_patch_size // tokens_per_side, vision_image_size // vision_patch_size // tokens_per_side],
        )
        mm_soft_emb_norm = self.mm_soft_emb_norm(avg_pool.reshape(B, vision_hidden_size, mm_tokens_per_image).transpose(1, 2))
        return mm_soft_emb_norm @ self.mm_input_projection_weight

class Gemma3Attention(nn.Module):
    def __init__(self, base, window):
        super().__init__()
        self.base = base
        self.window = window
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)
        self.q_norm = Gemma3RMSNorm(size=head_dim, eps=rms_norm_eps)
        self.k_norm = Gemma3RMSNorm(size=head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S + mm_tokens_per_image, -1, head_dim).transpose(1, 2)
        q_norm = self.q_norm(self.q_proj(x).view(B, S + mm_tokens_per_image, -1, head_dim).transpose(1, 2))
        k_norm = self.k_norm(self.k_proj(x).view(B, S + mm_tokens_per_image, -1, head_dim).transpose(1, 2))
        q = rotary(q_norm, base=self.base)
        k = rotary(k_norm, base=self.base)
        x2 = attention(
            q, k, v, window=self.window, scale=query_pre_attn_scalar ** -0.5
        ).transpose(1, 2).reshape(B, S + mm_tokens_per_image, -1)
        return self.o_proj(x2)

class SiglipEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([SiglipEncoderLayer() for _ in range(vision_num_hidden_layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class Gemma3DecoderLayer(nn.Module):
    def __init__(self, base, window):
        super().__init__()
        self.self_attn = Gemma3Attention(base=base, window=window)
        self.mlp = Gemma3MLP()
        self.input_layernorm = Gemma3RMSNorm(size=hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = Gemma3RMSNorm(size=hidden_size, eps=rms_norm_eps)
        self.pre_feedforward_layernorm = Gemma3RMSNorm(size=hidden_size, eps=rms_norm_eps)
        self.post_feedforward_layernorm = Gemma3RMSNorm(size=hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        post_attention = self.post_attention_layernorm(self.self_attn(self.input_layernorm(x)))
        x = x + post_attention
        post_feedforward = self.post_feedforward_layernorm(self.mlp(self.pre_feedforward_layernorm(x)))
        return x + post_feedforward

class MultiheadAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * vision_hidden_size, vision_hidden_size))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * vision_hidden_size))
        self.out_proj = nn.Linear(vision_hidden_size, vision_hidden_size)

    def forward(self, x, y):
        B = x.shape[0]
        first, second = self.in_proj_weight.split([vision_hidden_size, 2 * vision_hidden_size])
        first2, second2 = self.in_proj_bias.split([vision_hidden_size, 2 * vision_hidden_size])
        x2 = F.linear(
            y.transpose(1, 0), second, second2
        ).view((vision_image_size // vision_patch_size) ** 2, B, 2, vision_hidden_size)
        squeeze = x2.unsqueeze(0).transpose(0, -2).squeeze(-2)
        x3 = F.linear(
            x.transpose(1, 0), first, first2
        ).view(1, B * vision_num_attention_heads, vision_hidden_size // vision_num_attention_heads)
        transpose = squeeze[0].reshape(
            (vision_image_size // vision_patch_size) ** 2,
            B * vision_num_attention_heads,
            vision_hidden_size // vision_num_attention_heads,
        ).transpose(0, 1).transpose(-2, -1)
        softmax = F.softmax(
            torch.bmm(x3.transpose(0, 1) * ((vision_hidden_size // vision_num_attention_heads) ** -0.5), transpose),
            dim=-1,
        )
        bmm = torch.bmm(
            softmax,
            squeeze[1].reshape((vision_image_size // vision_patch_size) ** 2, B * vision_num_attention_heads, vision_hidden_size // vision_num_attention_heads).transpose(0, 1),
        )
        out = F.linear(
            bmm.transpose(0, 1).reshape(B, vision_hidden_size), self.out_proj.weight, self.out_proj.bias
        )
        return out.view(1, B, vision_hidden_size).transpose(1, 0)

class SiglipMultiheadAttentionPoolingHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.probe = nn.Parameter(torch.empty(1, 1, vision_hidden_size))
        self.attention = MultiheadAttention()
        self.layernorm = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        self.mlp = SiglipMLP()

    def forward(self, x):
        B = x.shape[0]
        attention_ = self.attention(self.probe.repeat(B, 1, 1), x)
        return (attention_ + self.mlp(self.layernorm(attention_)))[:, 0]

class SiglipVisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = SiglipVisionEmbeddings()
        self.encoder = SiglipEncoder()
        self.post_layernorm = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        if vision_use_head:
            self.head = SiglipMultiheadAttentionPoolingHead()

    def forward(self, x):
        x = self.post_layernorm(self.encoder(self.embeddings(x)))
        if vision_use_head:
            self.head(x)
        return x

class Gemma3TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = Gemma3TextScaledWordEmbedding()
        self.layers = nn.ModuleList([
            Gemma3DecoderLayer(
                base=rope_theta if i % 6 == 5 else rope_local_base_freq,
                window=None if i % 6 == 5 else sliding_window,
            )
            for i in range(num_hidden_layers)
        ])
        self.norm = Gemma3RMSNorm(size=hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Gemma3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.vision_tower = SiglipVisionModel()
        self.multi_modal_projector = Gemma3MultiModalProjector()
        self.language_model = Gemma3TextModel()

    def forward(self, ids, y):
        joined = torch.cat(
            (self.multi_modal_projector(self.vision_tower(y)), self.language_model.embed_tokens(ids)), dim=1
        )
        return self.language_model(joined)

class Gemma3ForConditionalGeneration(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma3Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.language_model.embed_tokens.weight

    def forward(self, input_ids, pixel_values):
        return self.lm_head(self.model(input_ids, pixel_values))

input_ids = Tensor((B, S), "int64")
pixel_values = Tensor((B, 3, vision_image_size, vision_image_size), "bfloat16")
model = Gemma3ForConditionalGeneration().to(torch.bfloat16)
logits = model(input_ids, pixel_values)
