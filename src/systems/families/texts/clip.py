# CLIP: CLIPModel of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of CLIP ViT-L/14; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 77
N = B
projection_dim = 768
text_vocab_size = 49408
text_hidden_size = 768
text_intermediate_size = 3072
text_num_hidden_layers = 12
text_num_attention_heads = 12
text_max_position_embeddings = 77
vision_hidden_size = 1024
vision_intermediate_size = 4096
vision_num_hidden_layers = 24
vision_num_attention_heads = 16
vision_image_size = 224
vision_patch_size = 14

mesh = Mesh(dp=8, tp=8)

class CLIPTextEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, text_max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.token_embedding = nn.Embedding(text_vocab_size, text_hidden_size)
        self.position_embedding = nn.Embedding(text_max_position_embeddings, text_hidden_size)

    def forward(self, ids):
        return self.token_embedding(ids) + self.position_embedding(self.position_ids[..., :S])

class CLIPAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(text_hidden_size, text_hidden_size)
        self.v_proj = nn.Linear(text_hidden_size, text_hidden_size)
        self.q_proj = nn.Linear(text_hidden_size, text_hidden_size)
        self.out_proj = nn.Linear(text_hidden_size, text_hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, text_hidden_size // text_num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, text_hidden_size // text_num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, text_hidden_size // text_num_attention_heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(text_hidden_size // text_num_attention_heads) ** -0.5
        )
        return self.out_proj(attended.transpose(1, 2).reshape(B, S, -1))

class CLIPMLP(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.fc1 = nn.Linear(in_features, out_features)
        self.fc2 = nn.Linear(out_features, in_features)

    def forward(self, x):
        fc1 = self.fc1(x)
        return self.fc2(fc1 * (fc1 * 1.702).sigmoid())

class CLIPVisionEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.class_embedding = nn.Parameter(torch.empty(vision_hidden_size))
        self.register_buffer(
            "position_ids",
            torch.empty(1, (vision_image_size // vision_patch_size) ** 2 + 1, dtype=torch.int64),
            persistent=False,
        )
        self.patch_embedding = nn.Conv2d(
            3, vision_hidden_size, vision_patch_size, stride=vision_patch_size, bias=False
        )
        self.position_embedding = nn.Embedding(
            (vision_image_size // vision_patch_size) ** 2 + 1, vision_hidden_size
        )

    def forward(self, x):
        N = x.shape[0]
        patch_embedding = self.patch_embedding(x).view(N, vision_hidden_size, (vision_image_size // vision_patch_size) ** 2).transpose(1, 2)
        joined = torch.cat((self.class_embedding.expand(N, 1, -1), patch_embedding), dim=1)
        return joined + self.position_embedding(self.position_ids)

class CLIPAttention2(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.v_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.q_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.out_proj = nn.Linear(vision_hidden_size, vision_hidden_size)

    def forward(self, x):
        N = x.shape[0]
        q = self.q_proj(x).view(N, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(N, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(N, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(vision_hidden_size // vision_num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.out_proj(transpose.reshape(N, (vision_image_size // vision_patch_size) ** 2 + 1, -1))

class CLIPEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = CLIPAttention()
        self.layer_norm1 = nn.LayerNorm(text_hidden_size)
        self.mlp = CLIPMLP(in_features=text_hidden_size, out_features=text_intermediate_size)
        self.layer_norm2 = nn.LayerNorm(text_hidden_size)

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class CLIPEncoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = CLIPAttention2()
        self.layer_norm1 = nn.LayerNorm(vision_hidden_size)
        self.mlp = CLIPMLP(in_features=vision_hidden_size, out_features=vision_intermediate_size)
        self.layer_norm2 = nn.LayerNorm(vision_hidden_size)

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class CLIPEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([CLIPEncoderLayer() for _ in range(text_num_hidden_layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class CLIPEncoder2(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([CLIPEncoderLayer2() for _ in range(vision_num_hidden_layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class CLIPTextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPTextEmbeddings()
        self.encoder = CLIPEncoder()
        self.final_layer_norm = nn.LayerNorm(text_hidden_size)

    def forward(self, ids):
        B = ids.shape[0]
        index = self.final_layer_norm(self.encoder(self.embeddings(ids)))[torch.arange(B), (ids.to(torch.int32) == 49407).to(torch.int32).argmax(-1)]
        return index

class CLIPVisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPVisionEmbeddings()
        self.pre_layrnorm = nn.LayerNorm(vision_hidden_size)
        self.encoder = CLIPEncoder2()
        self.post_layernorm = nn.LayerNorm(vision_hidden_size)

    def forward(self, x):
        return self.post_layernorm(self.encoder(self.pre_layrnorm(self.embeddings(x)))[:, 0])

class CLIPModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.logit_scale = nn.Parameter(torch.tensor(1.0))
        self.text_model = CLIPTextModel()
        self.vision_model = CLIPVisionModel()
        self.visual_projection = nn.Linear(vision_hidden_size, projection_dim, bias=False)
        self.text_projection = nn.Linear(text_hidden_size, projection_dim, bias=False)

    def forward(self, input_ids, pixel_values):
        visual_projection = self.visual_projection(self.vision_model(pixel_values))
        text_projection = self.text_projection(self.text_model(input_ids))
        div = visual_projection / (visual_projection ** 2).sum(dim=-1, keepdim=True) ** 0.5
        div2 = text_projection / (text_projection ** 2).sum(dim=-1, keepdim=True) ** 0.5
        return (div2 @ div.t() * self.logit_scale.exp()).t()

input_ids = Tensor((B, S), "int64")
pixel_values = Tensor((N, 3, vision_image_size, vision_image_size), "bfloat16")
model = CLIPModel().to(torch.bfloat16)
y = model(input_ids, pixel_values)
