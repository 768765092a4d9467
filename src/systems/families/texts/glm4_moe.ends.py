# GLM 4.5 and 4.6: Glm4MoeModel of transformers 5.24.0, traced by torch 2.13.0.

class Glm4MoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Glm4MoeDecoderLayer() if i < first_k_dense_replace else Glm4MoeDecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Glm4MoeModel().to(torch.bfloat16)
y = model(input_ids)
