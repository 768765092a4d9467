# Llama 4, its language part: Llama4TextModel of transformers 5.24.0, traced by torch 2.13.0.

rope_theta = 500000.0

class Llama4TextAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim)
        k = self.k_proj(x).view(B, S, -1, head_dim)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = rotary(q.to(torch.float32), dim=-3, base=rope_theta, interleaved=True)
        k2 = rotary(k.to(torch.float32), dim=-3, base=rope_theta, interleaved=True)
        if not use_qk_norm:
            q3 = q2.to(torch.bfloat16).transpose(1, 2)
            k3 = k2.to(torch.bfloat16).transpose(1, 2)
        else:
            q3 = F.rms_norm(q2.to(torch.bfloat16), (head_dim,), eps=rms_norm_eps).transpose(1, 2)
            k3 = F.rms_norm(k2.to(torch.bfloat16), (head_dim,), eps=rms_norm_eps).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q3, k3, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Llama4TextExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_local_experts, hidden_size, 2 * intermediate_size))
        self.down_proj = nn.Parameter(torch.empty(num_local_experts, intermediate_size, hidden_size))

class Llama4TextDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention()
        self.feed_forward = Llama4TextMLP(intermediate_size_mlp)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.feed_forward(self.post_attention_layernorm(x))

class Llama4TextDecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention2()
        self.feed_forward = Llama4TextMLP(intermediate_size_mlp)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.feed_forward(self.post_attention_layernorm(x))

class Llama4TextDecoderLayer3(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention()
        self.feed_forward = Llama4TextMoe()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        x = x + self.self_attn(self.input_layernorm(x))
        feed_forward = self.feed_forward(self.post_attention_layernorm(x)).reshape(B, S, hidden_size)
        return x + feed_forward

class Llama4TextDecoderLayer4(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Llama4TextAttention2()
        self.feed_forward = Llama4TextMoe()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        x = x + self.self_attn(self.input_layernorm(x))
        feed_forward = self.feed_forward(self.post_attention_layernorm(x)).reshape(B, S, hidden_size)
        return x + feed_forward

class Llama4TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            (Llama4TextDecoderLayer4() if (i + 1) % no_rope_layer_interval == 0 else Llama4TextDecoderLayer3()) if (i + 1) % interleave_moe_layer_step == 0 else (Llama4TextDecoderLayer2() if (i + 1) % no_rope_layer_interval == 0 else Llama4TextDecoderLayer())
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Llama4TextModel().to(torch.bfloat16)
y = model(input_ids)
