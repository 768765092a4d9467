# SigLIP: SiglipModel of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of SigLIP Base 224; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 64
N = B
text_vocab_size = 32000
text_hidden_size = 768
text_intermediate_size = 3072
text_num_hidden_layers = 12
text_num_attention_heads = 12
text_max_position_embeddings = 64
vision_hidden_size = 768
vision_intermediate_size = 3072
vision_num_hidden_layers = 12
vision_num_attention_heads = 12
vision_image_size = 224
vision_patch_size = 16

mesh = Mesh(dp=8, tp=8)

class SiglipTextEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, text_max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.token_embedding = nn.Embedding(text_vocab_size, text_hidden_size)
        self.position_embedding = nn.Embedding(text_max_position_embeddings, text_hidden_size)

    def forward(self, ids):
        return self.token_embedding(ids) + self.position_embedding(self.position_ids[..., :S])

class SiglipAttention(nn.Module):
    def __init__(self, in_features, size, size2, size3, scale):
        super().__init__()
        self.size = size
        self.size2 = size2
        self.size3 = size3
        self.scale = scale
        self.k_proj = nn.Linear(in_features, in_features)
        self.v_proj = nn.Linear(in_features, in_features)
        self.q_proj = nn.Linear(in_features, in_features)
        self.out_proj = nn.Linear(in_features, in_features)

    def forward(self, x):
        q = self.q_proj(x).view(self.size, self.size2, -1, self.size3).transpose(1, 2)
        k = self.k_proj(x).view(self.size, self.size2, -1, self.size3).transpose(1, 2)
        v = self.v_proj(x).view(self.size, self.size2, -1, self.size3).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(q, k, v, scale=self.scale).transpose(1, 2)
        return self.out_proj(transpose.reshape(self.size, self.size2, -1))

class SiglipMLP(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.fc1 = nn.Linear(in_features, out_features)
        self.fc2 = nn.Linear(out_features, in_features)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))

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
        N = x.shape[0]
        patch_embedding = self.patch_embedding(x).view(N, vision_hidden_size, (vision_image_size // vision_patch_size) ** 2).transpose(1, 2)
        return patch_embedding + self.position_embedding(self.position_ids)

class MultiheadAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * vision_hidden_size, vision_hidden_size))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * vision_hidden_size))
        self.out_proj = nn.Linear(vision_hidden_size, vision_hidden_size)

    def forward(self, x, y):
        N = x.shape[0]
        first, second = self.in_proj_weight.split([vision_hidden_size, 2 * vision_hidden_size])
        first2, second2 = self.in_proj_bias.split([vision_hidden_size, 2 * vision_hidden_size])
        x2 = F.linear(
            y.transpose(1, 0), second, second2
        ).view((vision_image_size // vision_patch_size) ** 2, N, 2, vision_hidden_size)
        squeeze = x2.unsqueeze(0).transpose(0, -2).squeeze(-2)
        x3 = F.linear(
            x.transpose(1, 0), first, first2
        ).view(1, N * vision_num_attention_heads, vision_hidden_size // vision_num_attention_heads)
        transpose = squeeze[0].reshape(
            (vision_image_size // vision_patch_size) ** 2,
            N * vision_num_attention_heads,
            vision_hidden_size // vision_num_attention_heads,
        ).transpose(0, 1).transpose(-2, -1)
        softmax = F.softmax(
            torch.bmm(x3.transpose(0, 1) * ((vision_hidden_size // vision_num_attention_heads) ** -0.5), transpose),
            dim=-1,
        )
        bmm = torch.bmm(
            softmax,
            squeeze[1].reshape((vision_image_size // vision_patch_size) ** 2, N * vision_num_attention_heads, vision_hidden_size // vision_num_attention_heads).transpose(0, 1),
        )
        out = F.linear(
            bmm.transpose(0, 1).reshape(N, vision_hidden_size), self.out_proj.weight, self.out_proj.bias
        )
        return out.view(1, N, vision_hidden_size).transpose(1, 0)

class SiglipEncoderLayer(nn.Module):
    def __init__(self, normalized_shape, size, size2, size3, scale, out_features):
        super().__init__()
        self.layer_norm1 = nn.LayerNorm(normalized_shape, eps=1e-06)
        self.self_attn = SiglipAttention(
            in_features=normalized_shape, size=size, size2=size2, size3=size3, scale=scale
        )
        self.layer_norm2 = nn.LayerNorm(normalized_shape, eps=1e-06)
        self.mlp = SiglipMLP(in_features=normalized_shape, out_features=out_features)

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class SiglipMultiheadAttentionPoolingHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.probe = nn.Parameter(torch.empty(1, 1, vision_hidden_size))
        self.attention = MultiheadAttention()
        self.layernorm = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        self.mlp = SiglipMLP(in_features=vision_hidden_size, out_features=vision_intermediate_size)

    def forward(self, x):
        N = x.shape[0]
        attention_ = self.attention(self.probe.repeat(N, 1, 1), x)
        return (attention_ + self.mlp(self.layernorm(attention_)))[:, 0]

class SiglipEncoder(nn.Module):
    def __init__(self, normalized_shape, size, size2, size3, scale, out_features, layers):
        super().__init__()
        self.layers = nn.ModuleList([
            SiglipEncoderLayer(
                normalized_shape=normalized_shape,
                size=size,
                size2=size2,
                size3=size3,
                scale=scale,
                out_features=out_features,
            )
            for _ in range(layers)
        ])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class SiglipTextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = SiglipTextEmbeddings()
        self.encoder = SiglipEncoder(
            normalized_shape=text_hidden_size,
            size=B,
            size2=S,
            size3=text_hidden_size // text_num_attention_heads,
            scale=(text_hidden_size // text_num_attention_heads) ** -0.5,
            out_features=text_intermediate_size,
            layers=text_num_hidden_layers,
        )
        self.final_layer_norm = nn.LayerNorm(text_hidden_size, eps=1e-06)
        self.head = nn.Linear(text_hidden_size, vision_hidden_size)

    def forward(self, ids):
        select = self.final_layer_norm(self.encoder(self.embeddings(ids)))[:, -1]
        return self.head(select)

class SiglipVisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = SiglipVisionEmbeddings()
        self.encoder = SiglipEncoder(
            normalized_shape=vision_hidden_size,
            size=N,
            size2=(vision_image_size // vision_patch_size) ** 2,
            size3=vision_hidden_size // vision_num_attention_heads,
            scale=(vision_hidden_size // vision_num_attention_heads) ** -0.5,
            out_features=vision_intermediate_size,
            layers=vision_num_hidden_layers,
        )
        self.post_layernorm = nn.LayerNorm(vision_hidden_size, eps=1e-06)
        self.head = SiglipMultiheadAttentionPoolingHead()

    def forward(self, x):
        return self.head(self.post_layernorm(self.encoder(self.embeddings(x))))

class SiglipModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.logit_scale = nn.Parameter(torch.empty(1))
        self.logit_bias = nn.Parameter(torch.empty(1))
        self.text_model = SiglipTextModel()
        self.vision_model = SiglipVisionModel()

    def forward(self, input_ids, pixel_values):
        vision_model = self.vision_model(pixel_values)
        text_model = self.text_model(input_ids)
        div = vision_model / vision_model.square().sum(dim=-1, keepdim=True).sqrt()
        div2 = text_model / text_model.square().sum(dim=-1, keepdim=True).sqrt()
        return (div2 @ div.t() * self.logit_scale.exp() + self.logit_bias).t()

input_ids = Tensor((B, S), "int64")
pixel_values = Tensor((N, 3, vision_image_size, vision_image_size), "bfloat16")
model = SiglipModel().to(torch.bfloat16)
y = model(input_ids, pixel_values)
