# Whisper: WhisperForConditionalGeneration of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Whisper Large v3; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 448
vocab_size = 51866
d_model = 1280
encoder_layers = 32
decoder_layers = 32
encoder_attention_heads = 20
decoder_attention_heads = 20
encoder_ffn_dim = 5120
decoder_ffn_dim = 5120
num_mel_bins = 128
max_source_positions = 1500
max_target_positions = 448

mesh = Mesh(dp=8, tp=8)

class WhisperAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B = x.shape[0]
        q = (self.q_proj(x) * ((d_model // encoder_attention_heads) ** -0.5)).reshape(B, max_source_positions, -1, d_model // encoder_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, -1, encoder_attention_heads, d_model // encoder_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, -1, encoder_attention_heads, d_model // encoder_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(q, k, v, scale=1.0).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, max_source_positions, -1))

class WhisperPositionalEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_target_positions, d_model))

    def forward(self, ids):
        return self.weight[ids]

class WhisperAttention2(WhisperAttention):
    def forward(self, x):
        B = x.shape[0]
        q = (self.q_proj(x) * ((d_model // decoder_attention_heads) ** -0.5)).reshape(B, S, -1, d_model // decoder_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, -1, decoder_attention_heads, d_model // decoder_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, -1, decoder_attention_heads, d_model // decoder_attention_heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0)
        return self.out_proj(attended.transpose(1, 2).reshape(B, S, -1))

class WhisperAttention3(WhisperAttention):
    def forward(self, x, y):
        B = x.shape[0]
        q = (self.q_proj(x) * ((d_model // decoder_attention_heads) ** -0.5)).reshape(B, S, -1, d_model // decoder_attention_heads).transpose(1, 2)
        k = self.k_proj(y).view(B, -1, decoder_attention_heads, d_model // decoder_attention_heads).transpose(1, 2)
        v = self.v_proj(y).view(B, -1, decoder_attention_heads, d_model // decoder_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(q, k, v, scale=1.0).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, S, -1))

class WhisperEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = WhisperAttention()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, encoder_ffn_dim)
        self.fc2 = nn.Linear(encoder_ffn_dim, d_model)
        self.final_layer_norm = nn.LayerNorm(d_model)

    def forward(self, x):
        x = x + self.self_attn(self.self_attn_layer_norm(x))
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))

class WhisperDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = WhisperAttention2()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.encoder_attn = WhisperAttention3()
        self.encoder_attn_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, decoder_ffn_dim)
        self.fc2 = nn.Linear(decoder_ffn_dim, d_model)
        self.final_layer_norm = nn.LayerNorm(d_model)

    def forward(self, x, y):
        x = x + self.self_attn(self.self_attn_layer_norm(x))
        x = x + self.encoder_attn(self.encoder_attn_layer_norm(x), y)
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))

class WhisperEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(num_mel_bins, d_model, 3, padding=1)
        self.conv2 = nn.Conv1d(d_model, d_model, 3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(max_source_positions, d_model)
        self.layers = nn.ModuleList([WhisperEncoderLayer() for _ in range(encoder_layers)])
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, x):
        permute = F.gelu(self.conv2(F.gelu(self.conv1(x)))).permute(0, 2, 1)
        x2 = permute + self.embed_positions(torch.arange(max_source_positions))
        for layer in self.layers:
            x2 = layer(x2)
        return self.layer_norm(x2)

class WhisperDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, d_model)
        self.embed_positions = WhisperPositionalEmbedding()
        self.layers = nn.ModuleList([WhisperDecoderLayer() for _ in range(decoder_layers)])
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, ids, y):
        B = ids.shape[0]
        embed_positions = self.embed_positions(torch.arange(S).unsqueeze(0).repeat(B, 1))
        x = self.embed_tokens(ids) + embed_positions
        for layer in self.layers:
            x = layer(x, y)
        return self.layer_norm(x)

class WhisperModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = WhisperEncoder()
        self.decoder = WhisperDecoder()

    def forward(self, x, index):
        return self.decoder(index, self.encoder(x))

class WhisperForConditionalGeneration(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = WhisperModel()
        self.proj_out = nn.Linear(d_model, vocab_size, bias=False)
        self.proj_out.weight = self.model.decoder.embed_tokens.weight

    def forward(self, input_features, decoder_input_ids):
        return self.proj_out(self.model(input_features, decoder_input_ids))

input_features = Tensor((B, num_mel_bins, 2 * max_source_positions), "bfloat16")
decoder_input_ids = Tensor((B, S), "int64")
model = WhisperForConditionalGeneration().to(torch.bfloat16)
y = model(input_features, decoder_input_ids)
