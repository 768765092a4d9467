# Phi 3.5 MoE: PhimoeModel of transformers 5.24.0, traced by torch 2.13.0.

class PhimoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([PhimoeDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.LayerNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = PhimoeModel().to(torch.bfloat16)
y = model(input_ids)
