# Command R7B and Command A: Cohere2Model of transformers 5.24.0, traced by torch 2.13.0.

class Cohere2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Cohere2DecoderLayer2() if i % 4 == 3 else Cohere2DecoderLayer()
            for i in range(num_hidden_layers)
        ])
        self.norm = Cohere2LayerNorm()

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Cohere2Model().to(torch.bfloat16)
y = model(input_ids)
