# DeiT with a distillation token: DeiTModel of transformers 5.24.0, traced by torch 2.13.0.

class DeiTPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class DeiTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = DeiTEmbeddings()
        self.layers = nn.ModuleList([DeiTLayer() for _ in range(num_hidden_layers)])
        self.layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.pooler = DeiTPooler()

    def forward(self, pixel_values):
        x = self.embeddings(pixel_values)
        for layer in self.layers:
            x = layer(x)
        return self.layernorm(x)

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = DeiTModel().to(torch.bfloat16)
y = model(pixel_values)

# DeiT with a distillation token: DeiTForImageClassification of transformers 5.24.0, traced by torch 2.13.0.

class DeiTForImageClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.deit = DeiTModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, pixel_values):
        return self.classifier(self.deit(pixel_values)[:, 0])

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = DeiTForImageClassification().to(torch.bfloat16)
y = model(pixel_values)
