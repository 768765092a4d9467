# DeepSeek V2: DeepseekV2Model of transformers 5.24.0, traced by torch 2.13.0.

class DeepseekV2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            DeepseekV2DecoderLayer() if i < first_k_dense_replace else DeepseekV2DecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.rotary_emb = DeepseekV2RotaryEmbedding()

    def forward(self, input_ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = DeepseekV2Model().to(torch.bfloat16)
y = model(input_ids)

# DeepSeek V2: DeepseekV2ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class DeepseekV2ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = DeepseekV2Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = DeepseekV2ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)
