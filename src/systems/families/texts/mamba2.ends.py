# Mamba-2: Mamba2Model of transformers 5.24.0, traced by torch 2.13.0.

class Mamba2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Mamba2Block() if i == 0 else Mamba2Block2()
            for i in range(num_hidden_layers)
        ])
        self.norm_f = nn.RMSNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, input_ids):
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm_f(x)

input_ids = Tensor((B, S), "int64")
model = Mamba2Model().to(torch.bfloat16)
y = model(input_ids)
