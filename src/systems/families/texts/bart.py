# BART: BartForConditionalGeneration of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of BART Large; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 1024
T = S
vocab_size = 50265
max_position_embeddings = 1024
d_model = 1024
encoder_layers = 12
encoder_attention_heads = 16
encoder_ffn_dim = 4096
decoder_layers = 12
decoder_attention_heads = 16
decoder_ffn_dim = 4096
scale_embedding = False

mesh = Mesh(dp=8, tp=8)

class BartScaledWordEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))

class BartScaledWordEmbedding2(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))

    def forward(self, ids):
        if not scale_embedding:
            return F.embedding(ids, self.weight)
        else:
            return F.embedding(ids, self.weight) * (d_model ** 0.5)

class BartLearnedPositionalEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_position_embeddings + 2, d_model))

    def forward(self):
        x = torch.arange(0, S, dtype=torch.int64).expand(B, -1) + 2
        return F.embedding(x, self.weight)

class BartAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, d_model // encoder_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, d_model // encoder_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, d_model // encoder_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(d_model // encoder_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, S, -1))

class BartLearnedPositionalEmbedding2(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_position_embeddings + 2, d_model))

    def forward(self, ids):
        return F.embedding(ids.unsqueeze(0) + 2, self.weight)

class BartAttention2(BartAttention):
    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, T, -1, d_model // decoder_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, T, -1, d_model // decoder_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, T, -1, d_model // decoder_attention_heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(d_model // decoder_attention_heads) ** -0.5
        )
        return self.out_proj(attended.transpose(1, 2).reshape(B, T, -1))

class BartAttention3(BartAttention):
    def forward(self, x, y):
        B = x.shape[0]
        q = self.q_proj(x).view(B, T, -1, d_model // decoder_attention_heads).transpose(1, 2)
        k = self.k_proj(y).view(B, S, -1, d_model // decoder_attention_heads).transpose(1, 2)
        v = self.v_proj(y).view(B, S, -1, d_model // decoder_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(d_model // decoder_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, T, -1))

class BartEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = BartAttention()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, encoder_ffn_dim)
        self.fc2 = nn.Linear(encoder_ffn_dim, d_model)
        self.final_layer_norm = nn.LayerNorm(d_model)

    def forward(self, x):
        self_attn_layer_norm = self.self_attn_layer_norm(x + self.self_attn(x))
        self_attn_layer_norm = self_attn_layer_norm + self.fc2(F.gelu(self.fc1(self_attn_layer_norm)))
        return self.final_layer_norm(self_attn_layer_norm)

class BartDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = BartAttention2()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.encoder_attn = BartAttention3()
        self.encoder_attn_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, decoder_ffn_dim)
        self.fc2 = nn.Linear(decoder_ffn_dim, d_model)
        self.final_layer_norm = nn.LayerNorm(d_model)

    def forward(self, x, y):
        self_attn_layer_norm = self.self_attn_layer_norm(x + self.self_attn(x))
        self_attn_layer_norm = self_attn_layer_norm + self.encoder_attn(self_attn_layer_norm, y)
        encoder_attn_layer_norm = self.encoder_attn_layer_norm(self_attn_layer_norm)
        encoder_attn_layer_norm = encoder_attn_layer_norm + self.fc2(F.gelu(self.fc1(encoder_attn_layer_norm)))
        return self.final_layer_norm(encoder_attn_layer_norm)

class BartEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = BartScaledWordEmbedding2()
        self.embed_positions = BartLearnedPositionalEmbedding()
        self.layers = nn.ModuleList([BartEncoderLayer() for _ in range(encoder_layers)])
        self.layernorm_embedding = nn.LayerNorm(d_model)

    def forward(self, ids):
        layernorm_embedding = self.layernorm_embedding(self.embed_tokens(ids) + self.embed_positions())
        for layer in self.layers:
            layernorm_embedding = layer(layernorm_embedding)
        return layernorm_embedding

class BartDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = BartScaledWordEmbedding2()
        self.embed_positions = BartLearnedPositionalEmbedding2()
        self.layers = nn.ModuleList([BartDecoderLayer() for _ in range(decoder_layers)])
        self.layernorm_embedding = nn.LayerNorm(d_model)

    def forward(self, ids, y):
        x = self.embed_tokens(ids) + self.embed_positions(torch.arange(T))
        x2 = self.layernorm_embedding(x)
        for layer in self.layers:
            x2 = layer(x2, y)
        return x2

class BartModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = BartScaledWordEmbedding()
        self.encoder = BartEncoder()
        self.decoder = BartDecoder()
        self.encoder.embed_tokens.weight = self.shared.weight
        self.decoder.embed_tokens.weight = self.shared.weight

    def forward(self, ids, index):
        return self.decoder(index, self.encoder(ids))

class BartForConditionalGeneration(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("final_logits_bias", torch.empty(1, vocab_size), persistent=False)
        self.model = BartModel()
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.lm_head.weight = self.model.shared.weight

    def forward(self, input_ids, decoder_input_ids):
        return self.lm_head(self.model(input_ids, decoder_input_ids)) + self.final_logits_bias

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = BartForConditionalGeneration().to(torch.bfloat16)
y = model(input_ids, decoder_input_ids)
