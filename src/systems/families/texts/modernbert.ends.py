# ModernBERT: ModernBertModel of transformers 5.24.0, traced by torch 2.13.0.

class ModernBertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = ModernBertEmbeddings()
        self.layers = nn.ModuleList([
            ModernBertEncoderLayer() if i == 0 else (ModernBertEncoderLayer3() if i % 3 == 0 else ModernBertEncoderLayer2())
            for i in range(num_hidden_layers)
        ])
        self.final_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        unsqueeze = torch.arange(S).unsqueeze(0).unsqueeze(1)
        le = (unsqueeze.unsqueeze(3) - unsqueeze.unsqueeze(2)).abs() <= local_attention // 2
        expand = le.expand(B, -1, S, S)
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, expand)
        return self.final_norm(x)

input_ids = Tensor((B, S), "int64")
model = ModernBertModel().to(torch.bfloat16)
y = model(input_ids)

# ModernBERT: ModernBertForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class ModernBertForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = ModernBertModel()
        self.head = ModernBertPredictionHead()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.head(self.model(input_ids)))

input_ids = Tensor((B, S), "int64")
model = ModernBertForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# ModernBERT: ModernBertForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class ModernBertForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = ModernBertModel()
        self.head = ModernBertPredictionHead()
        self.classifier = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.classifier(self.head(self.model(input_ids))).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = ModernBertForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# ModernBERT: ModernBertForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class ModernBertForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = ModernBertModel()
        self.head = ModernBertPredictionHead()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        ones = torch.ones([B, S], dtype=torch.bool)
        div = (self.model(input_ids) * ones.unsqueeze(-1)).sum(dim=1) / ones.sum(dim=1, keepdim=True)
        return self.classifier(self.head(div))

input_ids = Tensor((B, S), "int64")
model = ModernBertForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)
