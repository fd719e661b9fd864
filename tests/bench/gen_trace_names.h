/* Made-up names of modules, operators and kernels that gen_trace writes. */
#ifndef GEN_TRACE_NAMES_H
#define GEN_TRACE_NAMES_H

static const char *const modules[] = {"Linear", "LayerNorm", "MultiheadAttention", "Dropout", "GELU", "Conv2d",
                                      "FrozenBatchNorm2d", "TransformerEncoderLayer"};
static const char *const forwards[] = {
    "torch/nn/modules/linear.py(124): forward", "torch/nn/modules/normalization.py(217): forward",
    "torch/nn/modules/activation.py(1327): forward", "torch/nn/modules/dropout.py(69): forward",
    "torch/nn/modules/activation.py(733): forward", "torch/nn/modules/conv.py(553): forward",
    "policies/act/backbone.py(88): forward", "torch/nn/modules/transformer.py(903): forward"};
static const char *const builtins[] = {
    "<built-in function linear>", "<built-in function layer_norm>",
    "<built-in method scaled_dot_product_attention of type object at 0x7f3b8c2d11e0>",
    "<built-in method dropout of type object at 0x7f3b8c2d11e0>", "<built-in function gelu>",
    "<built-in method conv2d of type object at 0x7f3b8c2d11e0>",
    "<built-in method rsqrt of Tensor object at 0x7f39f2ac5d60>", "<built-in method add of Tensor object at 0x7f3>"};
static const char *const outer_ops[] = {"aten::linear", "aten::layer_norm", "aten::scaled_dot_product_attention",
                                        "aten::dropout", "aten::gelu", "aten::conv2d", "aten::rsqrt", "aten::add"};
static const char *const inner_ops[] = {"aten::addmm", "aten::native_layer_norm", "aten::_efficient_attention_forward",
                                        "aten::native_dropout", "aten::empty", "aten::cudnn_convolution", "aten::mul",
                                        "aten::as_strided"};
static const char *const bwd_nodes[] = {"AddmmBackward0", "NativeLayerNormBackward0",
                                        "ScaledDotProductEfficientAttentionBackward0", "NativeDropoutBackward0",
                                        "GeluBackward0", "ConvolutionBackward0", "MulBackward0", "AddBackward0"};
static const char *const bwd_evals[] = {
    "autograd::engine::evaluate_function: AddmmBackward0",
    "autograd::engine::evaluate_function: NativeLayerNormBackward0",
    "autograd::engine::evaluate_function: ScaledDotProductEfficientAttentionBackward0",
    "autograd::engine::evaluate_function: NativeDropoutBackward0", "autograd::engine::evaluate_function: GeluBackward0",
    "autograd::engine::evaluate_function: ConvolutionBackward0", "autograd::engine::evaluate_function: MulBackward0",
    "autograd::engine::evaluate_function: AddBackward0"};

static const char *const kernels[] = {
    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(float)#1}, "
    "at::detail::Array<char*, 2> >(int, at::native::GeluCUDAKernelImpl, at::detail::Array<char*, 2>)",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*, float "
    "const*, float const*, float*, float*, float*)",
    "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::bfloat16_t, "
    "cutlass::arch::Sm80, true, 64, 64, 64, true, true>::Params)",
    "void cutlass::Kernel<cutlass_80_tensorop_s16816gemm_bf16_64x64_32x6_nn_align8>(cutlass_80_tensorop_s16816gemm_bf16_"
    "64x64_32x6_nn_align8::Params)",
    "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
    "at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned "
    "int, float, 4> >(at::native::ReduceOp<float, at::native::func_wrapper_t<float>, unsigned int, float, 4>)"};

#endif
