# The text half of CLIP: CLIPTextModelWithProjection of transformers 5.24.0, traced by torch 2.13.0.

projection_dim = 512

class CLIPTextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPTextEmbeddings()
        self.encoder = CLIPEncoder()
        self.final_layer_norm = nn.LayerNorm(hidden_size)

    def forward(self, ids):
        B = ids.shape[0]
        index = self.final_layer_norm(self.encoder(self.embeddings(ids)))[torch.arange(B), (ids.to(torch.int32) == 49407).to(torch.int32).argmax(-1)]
        return index

class CLIPTextModelWithProjection(nn.Module):
    def __init__(self):
        super().__init__()
        self.text_model = CLIPTextModel()
        self.text_projection = nn.Linear(hidden_size, projection_dim, bias=False)

    def forward(self, input_ids):
        return self.text_projection(self.text_model(input_ids))

input_ids = Tensor((B, S), "int64")
model = CLIPTextModelWithProjection().to(torch.bfloat16)
y = model(input_ids)
