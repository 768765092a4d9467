# BART: BartModel of transformers 5.24.0, traced by torch 2.13.0.

class BartModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = BartScaledWordEmbedding()
        self.encoder = BartEncoder()
        self.decoder = BartDecoder()
        self.encoder.embed_tokens.weight = self.shared.weight
        self.decoder.embed_tokens.weight = self.shared.weight

    def forward(self, input_ids, decoder_input_ids):
        return self.decoder(decoder_input_ids, self.encoder(input_ids))

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = BartModel().to(torch.bfloat16)
y = model(input_ids, decoder_input_ids)

# BART: BartForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class BartForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = BartModel()
        self.qa_outputs = nn.Linear(d_model, 2)

    def forward(self, input_ids, decoder_input_ids):
        first, second = self.qa_outputs(self.model(input_ids, decoder_input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = BartForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids, decoder_input_ids)
