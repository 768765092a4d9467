# ERNIE 4.5 with experts, none of them shared: Ernie4_5_MoeModel of transformers 5.24.0, traced by torch 2.13.0.

class Ernie4_5_MoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Ernie4_5_MoeDecoderLayer() if i < moe_layer_start_index else Ernie4_5_MoeDecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Ernie4_5_MoeModel().to(torch.bfloat16)
y = model(input_ids)
