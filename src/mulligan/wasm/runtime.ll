; What compiled code expects around it: memory, 128-bit products, and three functions of Numba's and C's libraries.
; Memory is never given back, but a freed piece serves again. Pieces have powers of two bytes, from 64 on.
; A piece begins with Numba's MemInfo: i64 count of references, ptr destructor, ptr its argument, ptr data, i64 here the
; power of two.

@next = internal global i32 0 ; where untouched memory begins; 0 before the first use
@freed = internal global [32 x i32] zeroinitializer ; by power of two, the first of the freed pieces, each with the next

define internal ptr @untouched(i32 %size) {
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %limit = shl i32 %pages, 16
  %known = load i32, ptr @next
  %is_first = icmp eq i32 %known, 0
  %at = select i1 %is_first, i32 %limit, i32 %known
  %end = add i32 %at, %size
  store i32 %end, ptr @next
  %fits = icmp ule i32 %end, %limit
  br i1 %fits, label %done, label %grow
grow:
  %missing = sub i32 %end, %limit
  %whole = lshr i32 %missing, 16
  %more = add i32 %whole, 16
  %grown = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %more)
  %failed = icmp eq i32 %grown, -1
  br i1 %failed, label %out, label %done
out:
  call void @llvm.trap()
  unreachable
done:
  %new = inttoptr i32 %at to ptr
  ret ptr %new
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %align) {
  %small = trunc i64 %bytes to i32
  %with_head = add i32 %small, 63
  %zeros = call i32 @llvm.ctlz.i32(i32 %with_head, i1 false)
  %power = sub i32 32, %zeros
  %list = getelementptr i32, ptr @freed, i32 %power
  %first = load i32, ptr %list
  %none = icmp eq i32 %first, 0
  br i1 %none, label %fresh, label %used
used:
  %old = inttoptr i32 %first to ptr
  %after = load i32, ptr %old
  store i32 %after, ptr %list
  br label %both
fresh:
  %size = shl i32 1, %power
  %new = call ptr @untouched(i32 %size)
  br label %both
both:
  %info = phi ptr [ %old, %used ], [ %new, %fresh ]
  store i64 1, ptr %info
  %destructor = getelementptr i8, ptr %info, i32 8
  store ptr null, ptr %destructor
  %data = getelementptr i8, ptr %info, i32 32
  %data_at = getelementptr i8, ptr %info, i32 16
  store ptr %data, ptr %data_at
  %power_at = getelementptr i8, ptr %info, i32 24
  %wide = zext i32 %power to i64
  store i64 %wide, ptr %power_at
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc(i64 %bytes) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 16)
  ret ptr %info
}

; Of arrays and lists of plain numbers, which need no destructor.
define ptr @NRT_MemInfo_new_varsize_dtor(i64 %bytes, ptr %destructor) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 16)
  ret ptr %info
}

; Numba calls it where the last reference to a piece is gone.
define void @NRT_MemInfo_call_dtor(ptr %info) {
  %power_at = getelementptr i8, ptr %info, i32 24
  %wide = load i64, ptr %power_at
  %power = trunc i64 %wide to i32
  %list = getelementptr i32, ptr @freed, i32 %power
  %first = load i32, ptr %list
  store i32 %first, ptr %info
  %this = ptrtoint ptr %info to i32
  store i32 %this, ptr %list
  ret void
}

; For what the browser passes to exported functions.
define ptr @reserve(i32 %bytes) {
  %wide = zext i32 %bytes to i64
  %data = call ptr @NRT_Allocate(i64 %wide)
  ret ptr %data
}

define void @release(ptr %data) {
  call void @NRT_Free(ptr %data)
  ret void
}

define ptr @NRT_Allocate(i64 %bytes) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 16)
  %data = getelementptr i8, ptr %info, i32 32
  ret ptr %data
}

define void @NRT_Free(ptr %data) {
  %info = getelementptr i8, ptr %data, i32 -32
  call void @NRT_MemInfo_call_dtor(ptr %info)
  ret void
}

; The product of two numbers of 128 bits. Not optimised: LLVM would see in it the product that it calls this for.
define void @__multi3(ptr %product, i64 %a_low, i64 %a_high, i64 %b_low, i64 %b_high) noinline optnone {
  %a0 = and i64 %a_low, 4294967295
  %a1 = lshr i64 %a_low, 32
  %b0 = and i64 %b_low, 4294967295
  %b1 = lshr i64 %b_low, 32
  %a0b0 = mul i64 %a0, %b0
  %a0b1 = mul i64 %a0, %b1
  %a1b0 = mul i64 %a1, %b0
  %a1b1 = mul i64 %a1, %b1
  %carry = lshr i64 %a0b0, 32
  %middle = add i64 %a1b0, %carry
  %middle0 = and i64 %middle, 4294967295
  %middle1 = lshr i64 %middle, 32
  %upper = add i64 %a0b1, %middle0
  %upper1 = lshr i64 %upper, 32
  %low = mul i64 %a_low, %b_low
  %high0 = add i64 %a1b1, %middle1
  %high1 = add i64 %high0, %upper1
  %cross0 = mul i64 %a_low, %b_high
  %cross1 = mul i64 %a_high, %b_low
  %high2 = add i64 %high1, %cross0
  %high = add i64 %high2, %cross1
  store i64 %low, ptr %product
  %second = getelementptr i64, ptr %product, i32 1
  store i64 %high, ptr %second
  ret void
}

; Our arrays are contiguous, so the new strides follow from the new shape.
define i32 @numba_attempt_nocopy_reshape(i64 %count, ptr %shape, ptr %strides, i64 %new_count, ptr %new_shape,
                                                  ptr %new_strides, i64 %itemsize, i32 %is_fortran) {
  %last = trunc i64 %new_count to i32
  br label %loop
loop:
  %place = phi i32 [ %last, %0 ], [ %before, %body ]
  %stride = phi i64 [ %itemsize, %0 ], [ %larger, %body ]
  %done = icmp eq i32 %place, 0
  br i1 %done, label %out, label %body
body:
  %before = sub i32 %place, 1
  %stride_at = getelementptr i64, ptr %new_strides, i32 %before
  store i64 %stride, ptr %stride_at
  %length_at = getelementptr i64, ptr %new_shape, i32 %before
  %length = load i64, ptr %length_at
  %larger = mul i64 %stride, %length
  br label %loop
out:
  ret i32 1
}

define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}

; An error ends the call: who calls passes nothing that raises one.
define void @PyErr_SetString(ptr %kind, ptr %text) {
  call void @llvm.trap()
  unreachable
}

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.trap()
declare double @llvm.sqrt.f64(double)
