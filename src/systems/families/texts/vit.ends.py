# ViT: ViTModel of transformers 5.24.0, traced by torch 2.13.0.

class ViTPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class ViTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = ViTEmbeddings()
        self.layers = nn.ModuleList([ViTLayer() for _ in range(num_hidden_layers)])
        self.layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.pooler = ViTPooler()

    def forward(self, pixel_values):
        x = self.embeddings(pixel_values)
        for layer in self.layers:
            x = layer(x)
        return self.layernorm(x)

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = ViTModel().to(torch.bfloat16)
y = model(pixel_values)
