# DINOv2: Dinov2ForImageClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class Dinov2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = Dinov2Embeddings()
        self.encoder = Dinov2Encoder()
        self.layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        return self.layernorm(self.encoder(self.embeddings(x)))

class Dinov2ForImageClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.dinov2 = Dinov2Model()
        self.classifier = nn.Linear(2 * hidden_size, num_labels)

    def forward(self, pixel_values):
        dinov2 = self.dinov2(pixel_values)
        return self.classifier(torch.cat((dinov2[:, 0], dinov2[:, 1:].mean(dim=1)), dim=1))

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = Dinov2ForImageClassification().to(torch.bfloat16)
y = model(pixel_values)
