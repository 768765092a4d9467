# ERNIE 4.5, its dense models: Ernie4_5Model of transformers 5.24.0, traced by torch 2.13.0.

class Ernie4_5Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Ernie4_5DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.rotary_emb = Ernie4_5RotaryEmbedding()

    def forward(self, input_ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Ernie4_5Model().to(torch.bfloat16)
y = model(input_ids)
