# CLIP: CLIPForImageClassification of transformers 5.24.0, traced by torch 2.13.0.

B = 1
num_labels = 2

class CLIPVisionEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.class_embedding = nn.Parameter(torch.empty(vision_hidden_size))
        self.register_buffer(
            "position_ids",
            torch.empty(1, (vision_image_size // vision_patch_size) ** 2 + 1, dtype=torch.int64),
            persistent=False,
        )
        self.patch_embedding = nn.Conv2d(
            3, vision_hidden_size, vision_patch_size, stride=vision_patch_size, bias=False
        )
        self.position_embedding = nn.Embedding(
            (vision_image_size // vision_patch_size) ** 2 + 1, vision_hidden_size
        )

    def forward(self, x):
        B = x.shape[0]
        patch_embedding = self.patch_embedding(x).view(B, vision_hidden_size, (vision_image_size // vision_patch_size) ** 2).transpose(1, 2)
        joined = torch.cat((self.class_embedding.expand(B, 1, -1), patch_embedding), dim=1)
        return joined + self.position_embedding(self.position_ids)

class CLIPAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.v_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.q_proj = nn.Linear(vision_hidden_size, vision_hidden_size)
        self.out_proj = nn.Linear(vision_hidden_size, vision_hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, (vision_image_size // vision_patch_size) ** 2 + 1, -1, vision_hidden_size // vision_num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(vision_hidden_size // vision_num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.out_proj(transpose.reshape(B, (vision_image_size // vision_patch_size) ** 2 + 1, -1))

class CLIPMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(vision_hidden_size, vision_intermediate_size)
        self.fc2 = nn.Linear(vision_intermediate_size, vision_hidden_size)

    def forward(self, x):
        fc1 = self.fc1(x)
        return self.fc2(fc1 * (fc1 * 1.702).sigmoid())

class CLIPEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = CLIPAttention()
        self.layer_norm1 = nn.LayerNorm(vision_hidden_size)
        self.mlp = CLIPMLP()
        self.layer_norm2 = nn.LayerNorm(vision_hidden_size)

    def forward(self, x):
        x = x + self.self_attn(self.layer_norm1(x))
        return x + self.mlp(self.layer_norm2(x))

class CLIPEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([CLIPEncoderLayer() for _ in range(vision_num_hidden_layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

class CLIPVisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = CLIPVisionEmbeddings()
        self.pre_layrnorm = nn.LayerNorm(vision_hidden_size)
        self.encoder = CLIPEncoder()
        self.post_layernorm = nn.LayerNorm(vision_hidden_size)

    def forward(self, x):
        return self.encoder(self.pre_layrnorm(self.embeddings(x)))

class CLIPForImageClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.vision_model = CLIPVisionModel()
        self.classifier = nn.Linear(vision_hidden_size, num_labels)

    def forward(self, pixel_values):
        return self.classifier(self.vision_model(pixel_values)[:, 1:].mean(dim=1))

pixel_values = Tensor((B, 3, vision_image_size, vision_image_size), "bfloat16")
model = CLIPForImageClassification().to(torch.bfloat16)
y = model(pixel_values)
