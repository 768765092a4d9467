# The image half of CLIP: CLIPVisionModelWithProjection of transformers 5.24.0, traced by torch 2.13.0.

projection_dim = 512

class CLIPVisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPVisionEmbeddings()
        self.pre_layrnorm = nn.LayerNorm(hidden_size)
        self.encoder = CLIPEncoder()
        self.post_layernorm = nn.LayerNorm(hidden_size)

    def forward(self, x):
        return self.post_layernorm(self.encoder(self.pre_layrnorm(self.embeddings(x)))[:, 0])

class CLIPVisionModelWithProjection(nn.Module):
    def __init__(self):
        super().__init__()
        self.vision_model = CLIPVisionModel()
        self.visual_projection = nn.Linear(hidden_size, projection_dim, bias=False)

    def forward(self, pixel_values):
        return self.visual_projection(self.vision_model(pixel_values))

pixel_values = Tensor((B, 3, image_size, image_size), "bfloat16")
model = CLIPVisionModelWithProjection().to(torch.bfloat16)
y = model(pixel_values)
